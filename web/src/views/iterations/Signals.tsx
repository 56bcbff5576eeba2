import type { Contribution, Iteration } from "../../api/iterations"
import { Copy } from "../../parts/Copy"
import { safeHref } from "../../parts/safeHref"
import { Characters } from "../../parts/Text"
import { commitAddress, detailParts, sourceAddress } from "../../words/forge"
import { scoreText } from "../../words/format"
import styles from "./Iteration.module.css"

/** What each signal stands on: its weight in the rubric and here, its score, and the evidence. */
export function Signals({ iteration }: { iteration: Iteration }) {
  return (
    <section className={styles.part} aria-labelledby="evidence-head">
      <h2 id="evidence-head">Evidence of each signal</h2>
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Signals">
        <table className={styles.signals}>
          <thead>
            <tr>
              <th scope="col">Signal</th>
              <th scope="col">Weight</th>
              <th scope="col">Score</th>
              <th scope="col">Adds</th>
              <th scope="col">Evidence</th>
            </tr>
          </thead>
          <tbody>
            {iteration.breakdown.map((row) => (
              <Row key={row.signal} row={row} isScored={iteration.value !== null} source={sourceAddress(iteration)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Row({ row, isScored, source }: { row: Contribution; isScored: boolean; source: string }) {
  const here = row.present ? scoreText(row.effective_weight, 2) : isScored ? "to the others" : undefined
  return (
    <tr className={row.present ? undefined : styles.absent}>
      <th scope="row">
        <Characters text={row.label || row.signal} />
      </th>
      <td title="weight in the rubric → weight here">
        {scoreText(row.nominal_weight, 2)}
        {here !== undefined && ` → ${here}`}
      </td>
      <td>{row.present ? scoreText(row.sub_score) : "absent"}</td>
      <td>{row.present ? scoreText(row.contribution) : "–"}</td>
      <td>
        {row.self_reported && <b>self-reported: </b>}
        <Evidence detail={row.detail ?? ""} source={source} />
      </td>
    </tr>
  )
}

/** What was found, with the commits in it as links where the forge is known. */
function Evidence({ detail, source }: { detail: string; source: string }) {
  if (detail === "") return <span className="mute">nothing was noted</span>
  return detailParts(detail).map(({ text, commit }, place) =>
    // The parts of one text have no other name than their place.
    commit ? <Commit key={place} hash={text} source={source} /> : <Characters key={place} text={text} />,
  )
}

/** A commit's hash; a link where the repository's forge is known, else to copy on demand. */
export function Commit({ hash, source, copies = false }: { hash: string; source: string; copies?: boolean }) {
  const address = safeHref(commitAddress(source, hash))
  const code = <code>{hash.slice(0, 12)}</code>
  return (
    <>
      {address === null ? (
        code
      ) : (
        <a href={address} target="_blank" rel="noreferrer noopener" title={address}>
          {code}
        </a>
      )}
      {copies && (
        <>
          {" "}
          <Copy text={hash} what="the commit's hash" />
        </>
      )}
    </>
  )
}

import { Link } from "@tanstack/react-router"
import type { PlaygroundPreview } from "../../api/playground"
import { countText, countWords, moneyText } from "../../words/format"
import { LETTERS } from "./form"
import styles from "./Playground.module.css"

interface Props {
  project: string
  preview: PlaygroundPreview | undefined
  busy: boolean
  /** The form says something else by now. */
  stale: boolean
}

/** What a run would take, as far as it is known beforehand. */
export function Cost({ project, preview, busy, stale }: Props) {
  if (preview === undefined) {
    return <p className="mute">{busy ? "Estimating…" : "The preview tells calls, tokens and dollars beforehand. Nothing is stored by it, and no model is asked."}</p>
  }
  const judges = preview.by_scorer.filter((scorer) => scorer.model !== null)
  return (
    <div aria-busy={busy}>
      {stale && !busy && <p className={styles.note}>The form was changed since. Preview again.</p>}
      <p role="status">
        <b>{countWords(preview.calls, "call")}</b> to candidates{" "}
        {preview.cost_usd_estimate === null ? "at a cost that is not known: a part of it has no known price" : <>for about <b>{moneyText(preview.cost_usd_estimate)}</b></>}
        {preview.budget_left_usd !== null && (
          <span className="mute">
            {" "}
            of {moneyText(preview.budget_left_usd)} that today&rsquo;s{" "}
            <Link to="/projects/$project/settings" params={{ project }} search={{ tab: "budget" }}>
              budget
            </Link>{" "}
            has left
          </span>
        )}
      </p>
      <div className={styles.scroll} role="group" aria-label="Cost by candidate" tabIndex={0}>
        <table className={styles.figures}>
          <thead>
            <tr>
              <th scope="col">Asked</th>
              <th scope="col">Calls</th>
              <th scope="col">Tokens in</th>
              <th scope="col">Tokens out</th>
              <th scope="col">Dollars</th>
            </tr>
          </thead>
          <tbody>
            {preview.candidates.map((candidate, at) => (
              <Line key={at} name={`${LETTERS[at] ?? "?"}: ${candidate.model}`} of={candidate} why={candidate.cannot_ask} />
            ))}
            {judges.map((scorer) => (
              <Line key={scorer.scorer_name} name={`${scorer.scorer_name}: ${scorer.model ?? ""}`} of={scorer} why={null} />
            ))}
          </tbody>
        </table>
      </div>
      {preview.notes.length > 0 && (
        <ul className={styles.notes} aria-label="Notes">
          {preview.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface Figures {
  calls: number
  tokens_input_estimate: number
  tokens_output_estimate: number
  cost_usd_estimate: number | null
}

function Line({ name, of, why }: { name: string; of: Figures; why: string | null }) {
  return (
    <tr>
      <th scope="row">
        {name}
        {why !== null && <p className={styles.wrong}>✕ {why}</p>}
      </th>
      <td>{countText(of.calls)}</td>
      <td>{countText(of.tokens_input_estimate)}</td>
      <td>{countText(of.tokens_output_estimate)}</td>
      <td>{moneyText(of.cost_usd_estimate)}</td>
    </tr>
  )
}

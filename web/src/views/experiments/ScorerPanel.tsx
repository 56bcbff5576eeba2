import type { Histogram, Summary } from "../../api/experiments"
import { Curves } from "../../plots/Curves"
import { Distribution } from "../../plots/Distribution"
import { LabelShares } from "../../plots/LabelShares"
import { useWidth } from "../../plots/useWidth"
import { MissingStrip } from "../../plots/MissingStrip"
import { absence } from "../../words/absence"
import { sortedReasons } from "../../words/announce"
import { countText } from "../../words/format"
import { isSmall, notesOf } from "../../words/methods"
import { Characters } from "../../parts/Text"
import styles from "./Experiment.module.css"
import type { RunsPatch } from "./runsFilter"

type Scorer = Summary["scores_by_scorer"][string]

interface Props {
  name: string
  scorer: Scorer
  trials: number
  histogram: Histogram | undefined
  zoom: boolean
  /** Every mark is a filter of the runs below. */
  onFilter: (patch: RunsPatch) => void
}

/** How one scorer's scores are spread, how often a run of an item passes, and what is missing and why. */
export function ScorerPanel({ name, scorer, trials, histogram, zoom, onFilter }: Props) {
  const notes = notesOf(scorer.flags)
  const [box, width] = useWidth<HTMLDivElement>(480)
  return (
    <div className={styles.scorer}>
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div className={styles.plots} ref={box}>
        <Spread width={Math.min(480, width)} name={name} scorer={scorer} histogram={histogram} zoom={zoom} onFilter={onFilter} />
        {trials > 1 && scorer.pass_at_k && <PassCurves width={Math.min(360, width)} scorer={scorer} zoom={zoom} />}
        {scorer.n_scored < scorer.n_total && <Why width={Math.min(360, width)} name={name} scorer={scorer} onFilter={onFilter} />}
      </div>
    </div>
  )
}

function Spread({ width, name, scorer, histogram, zoom, onFilter }: Omit<Props, "trials"> & { width: number }) {
  const shares = scorer.label_shares ?? {}
  const labels = Object.entries(shares).map(([label, share]) => ({
    label,
    count: share.count,
    share: share.share,
    interval: share.confidence_interval_95,
    onOpen: () => onFilter({ label, state: undefined, reason: undefined }),
  }))
  if (labels.length > 0 && scorer.mean === null) {
    return <LabelShares width={width} name={name} labels={labels} total={labels.reduce((sum, one) => sum + one.count, 0)} />
  }
  if (histogram === undefined) return <div className={styles.room} aria-busy="true" />
  return (
    <Distribution
      width={width}
      name={name}
      scores={scoresOf(histogram)}
      estimate={{ mean: scorer.mean, interval: scorer.confidence_interval_95, inner: scorer.items_fixed_ci_95 ?? null }}
      small={isSmall(scorer.flags)}
      reasons={scorer.reasons}
      zoom={zoom}
      onRange={(min, max) => onFilter({ min, max, state: undefined, reason: undefined })}
      onReason={(reason) => onFilter({ reason, state: undefined, min: undefined, max: undefined })}
    />
  )
}

/** Each run's score where they are few; else the middle of its bin, which a picture of bins needs only. */
export function scoresOf(histogram: Histogram): { id: string; value: number }[] {
  const { values, run_ids: ids, edges, counts } = histogram
  if (values && ids) return values.map((value, at) => ({ id: ids[at] ?? String(at), value }))
  return counts.flatMap((count, bin) => {
    const middle = ((edges[bin] ?? 0) + (edges[bin + 1] ?? 1)) / 2
    return Array.from({ length: count }, (_, at) => ({ id: `${bin}-${at}`, value: middle }))
  })
}

function PassCurves({ width, scorer, zoom }: { width: number; scorer: Scorer; zoom: boolean }) {
  const points = (values: Record<string, number> | null | undefined, ends: Scorer["pass_at_k_ci_95"]) =>
    Object.entries(values ?? {}).map(([k, value]) => ({ k: Number(k), value, interval: ends?.[k] ?? null }))
  return (
    <Curves
      width={width}
      curves={[
        { name: "pass@k", points: points(scorer.pass_at_k, scorer.pass_at_k_ci_95) },
        { name: "pass^k", points: points(scorer.pass_pow_k, scorer.pass_pow_k_ci_95) },
      ]}
      zoom={zoom}
    />
  )
}

/** Why is there no score: states, reasons, and what to do about each. */
function Why({ width, name, scorer, onFilter }: { width: number; name: string; scorer: Scorer; onFilter: (patch: RunsPatch) => void }) {
  return (
    <section className={styles.why} aria-label={`Why runs have no score of ${name}`}>
      <h3>Why is there no score?</h3>
      <MissingStrip
        width={width}
        scored={scorer.n_scored}
        absent={scorer.n_absent}
        failed={scorer.n_failed}
        pending={scorer.n_pending}
        onPick={(state) => onFilter({ state, reason: undefined, min: undefined, max: undefined, label: undefined })}
      />
      <ul>
        {sortedReasons(scorer.reasons).map(([reason, count]) => {
          const words = absence(reason)
          return (
            <li key={reason}>
              <button type="button" data-kind="link" onClick={() => onFilter({ reason, state: undefined, min: undefined, max: undefined, label: undefined })}>
                {countText(count)} · <Characters text={reason} />
              </button>
              <p>
                <Characters text={words.sentence === reason ? "" : words.sentence} /> {words.remedy}
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

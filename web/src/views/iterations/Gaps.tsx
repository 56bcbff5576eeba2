import type { RoleHonesty } from "../../api/iterations"
import { Forest } from "../../plots/Forest"
import { PairedDelta } from "../../plots/PairedDelta"
import { useWidth } from "../../plots/useWidth"
import { countWords, deltaIntervalText, deltaText, shareIntervalText, shareText } from "../../words/format"
import { isSmall, methodWords, notesOf } from "../../words/methods"
import { claimName } from "./claims"
import styles from "./Iterations.module.css"

const AXIS = { name: "observed − claimed", worse: "claimed too much", better: "better than claimed", noun: "claim", counted: "compared" }

/** How far claims are from facts on average, and how often too much was claimed. */
export function Gaps({ roles, onOpen }: { roles: readonly RoleHonesty[]; onOpen: (claim: string) => void }) {
  const [box, width] = useWidth<HTMLDivElement>(860)
  const known = roles.filter((row) => row.n > 0)
  const unknown = roles.filter((row) => row.n === 0)
  return (
    <section ref={box} className={styles.part} aria-labelledby="gaps-head">
      <h2 id="gaps-head">On average</h2>
      {known.length > 0 && (
        <>
          <PairedDelta
            axis={AXIS} keepOrder width={width} caption={overclaimSentence(known)}
            rows={known.map((row) => ({
              id: claimName(row), name: claimName(row), verdict: verdictOf(row), delta: row.mean_delta, interval: row.confidence_interval_95,
              words: row.mean_delta === null ? "no gap known" : `${deltaText(row.mean_delta)} (${row.confidence_interval_95 ? deltaIntervalText(row.confidence_interval_95) : row.ci_reason})`,
              pairs: row.n, method: methodWords(row.ci_method), notes: notesOf(row.flags), small: isSmall(row.flags),
              onOpen: () => onOpen(claimName(row)),
            }))}
          />
          <h2>How often too much was claimed</h2>
          <Forest
            width={width} noun="claim" caption="Share of the iterations with both a claim and a fact in which more was claimed than is true"
            rows={known.map((row) => ({
              id: claimName(row), name: claimName(row), mean: row.overclaim_share, interval: row.overclaim_share_ci_95,
              words: `${row.overclaimed} of ${row.n}: ${shareText(row.overclaim_share, row.n)} (${shareIntervalText(row.overclaim_share_ci_95, row.n)})`,
              method: methodWords("wilson"), onOpen: () => onOpen(claimName(row)),
            }))}
          />
        </>
      )}
      {known.length === 0 && (
        <p>
          No claim can be compared with a fact: none of these iterations has both. Facts come from git, transcripts and CI; score the log where they
          are, with <code>gnomon outcome score --transcripts FOLDER --ci FOLDER</code>, and push it again.
        </p>
      )}
      {unknown.length > 0 && (
        <ul className={styles.unknown} aria-label="Without a claim and a fact in one iteration">
          {unknown.map((row) => (
            <li key={claimName(row)}>
              {claimName(row)}: {countWords(row.n_claimed_only, "claim")} without a fact, {countWords(row.n_observed_only, "fact")} without a claim
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Whether the interval leaves 0 on one side. */
function verdictOf(row: RoleHonesty): "regressed" | "improved" | "inconclusive" {
  const ends = row.confidence_interval_95
  if (ends && ends[1] < 0) return "regressed"
  return ends && ends[0] > 0 ? "improved" : "inconclusive"
}

/** "impl, landed: claimed too much in 20 of 75, 18–37 %", for the claim that fails most often. */
export function overclaimSentence(rows: readonly RoleHonesty[]): string {
  const [worst] = [...rows].sort((a, b) => (b.overclaim_share ?? 0) - (a.overclaim_share ?? 0))
  if (!worst || worst.overclaimed === 0) return "Nowhere was more claimed than is true"
  return `${claimName(worst)}: claimed too much in ${worst.overclaimed} of ${worst.n}, ${shareIntervalText(worst.overclaim_share_ci_95, worst.n)}`
}

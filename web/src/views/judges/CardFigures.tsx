import type { Figure, JudgeCard } from "../../api/judges"
import { Forest, type ForestRow } from "../../plots/Forest"
import { useWidth } from "../../plots/useWidth"
import { countText } from "../../words/format"
import { estimateWords, shiftWords } from "../../words/judges"
import { isFew, methodWords } from "../../words/methods"
import styles from "./Judges.module.css"

export type FigureRow = readonly [name: string, figure: Figure, kind: "share" | "shift", meaning: string]

/** All figures of the card on one axis. Where one is not known, the reason stands in its place. */
export function CardFigures({ card }: { card: JudgeCard }) {
  const rows: FigureRow[] = [
    ["mean score", card.mean, "share", "over all scores that were read"],
    ["unreadable answers", card.parse_failures, "share", "answers without a readable score; 0 is best"],
    ["votes lost", card.failed_votes, "share", "votes that dropped out, where several were asked for; 0 is best"],
    ["same answer again", card.repeat_agreement, "share", "how often two votes or scores on one target agree; 1 is best"],
    ["distance when asked again", card.repeat_difference, "share", "mean distance of two votes or scores; 0 is best"],
    ["twice as long", card.length_slope, "shift", "change of the score when the output is twice as long; 0 is no bias"],
    ["… beyond people", card.length_slope_beyond_people, "shift", "the same of judge − human; 0 is no bias"],
    ["its own family", card.self_preference, "shift", "mean for models of its own family less that for others; 0 is no bias"],
    ["… beyond people", card.self_preference_beyond_people, "shift", "the same of judge − human; 0 is no bias"],
  ]
  return (
    <section className={styles.section} aria-labelledby="card-figures">
      <h2 id="card-figures">What is known of it</h2>
      <Figures rows={rows} caption="Each figure with its 95 % interval; where it is not known, why." />
    </section>
  )
}

export function Figures({ rows, caption }: { rows: readonly FigureRow[]; caption: string }) {
  const [ref, width] = useWidth<HTMLDivElement>(640, 860)
  return (
    <div ref={ref}>
      <Forest rows={rows.map(forestRow)} caption={caption} width={width} />
    </div>
  )
}

function forestRow([name, figure, kind, meaning]: FigureRow, place: number): ForestRow {
  return {
    id: `${place} ${name}`,
    name,
    mean: figure.value,
    interval: figure.confidence_interval_95,
    method: figure.method === null ? null : methodWords(figure.method),
    notes: [meaning, `n = ${countText(figure.n)}`],
    small: isFew(figure.n),
    words: kind === "shift" ? shiftWords(figure) : estimateWords(figure),
  }
}

import { Link } from "@tanstack/react-router"
import type { Calibration, JudgeCard, OneJudge, ToLabel } from "../../api/judges"
import type { Problem } from "../../api/problem"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { Forest } from "../../plots/Forest"
import { useWidth } from "../../plots/useWidth"
import { countText, countWords, deltaText, serverWords, shareText } from "../../words/format"
import type { EstimateSaid } from "../../words/judges"
import { chanceCorrected, estimateWords, ratingText } from "../../words/judges"
import { isFew, methodWords } from "../../words/methods"
import styles from "./Judges.module.css"

/** So many ratings have room beside the plot. */
const FEW = 4

interface Props {
  card: JudgeCard
  next: ToLabel | undefined
  problem: Problem | undefined
  project: string
  one: OneJudge
}

/** The judge beside people: where they differ, and its mean corrected by them. */
export function People({ card, next, problem, project, one }: Props) {
  const { people } = card
  return (
    <section className={styles.section} aria-labelledby="card-people">
      <h2 id="card-people">Beside people</h2>
      {people ? (
        <>
          <p className="mute">
            <Characters text={people.human} /> rated {countWords(people.n_labelled, "target")} of this judge;{" "}
            {countText(people.n_judge_only)} have no label.
          </p>
          <div className={(people.confusion?.ratings.length ?? 0) <= FEW ? styles.beside : styles.section}>
            <Means people={people} />
            <Confusion people={people} />
          </div>
        </>
      ) : (
        <p role="note">No agreement with people is known: {serverWords(card.people_reason ?? "nobody rated its targets")}.</p>
      )}
      {problem ? <ProblemBox problem={problem} /> : next && <Strata next={next} />}
      {next && (
        <p>
          Next: {serverWords(next.words)}.{" "}
          <Link to="/projects/$project/judges/$judge/label" params={{ project, judge: one.judge }} search={{ config: one.config, human: one.human } as never}>
            What to label next
          </Link>
        </p>
      )}
      {people && people.notes.length > 0 && <Notes notes={people.notes} />}
    </section>
  )
}

export function Notes({ notes }: { notes: readonly string[] }) {
  return (
    <ul className={styles.notes}>
      {notes.map((note) => (
        <li key={note}>
          <Characters text={serverWords(note)} />
        </li>
      ))}
    </ul>
  )
}

/** Agreement, and the corrected mean beside the raw one. */
function Means({ people }: { people: Calibration }) {
  const [ref, width] = useWidth<HTMLDivElement>(460, 620)
  const { name, estimate } = chanceCorrected(people)
  const rows = [
    ["agreement", people.accuracy as EstimateSaid],
    [name, estimate],
    ["judge's mean, raw", people.judge_mean],
    ["… corrected by people", people.corrected_mean],
    ["people's mean", people.human_mean],
    ["judge − people", people.bias],
  ] as const
  return (
    <div ref={ref}>
      <Forest
        width={width} caption="Agreement with people, and the judge's mean raw and corrected by their labels."
        rows={rows.map(([row, { value, confidence_interval_95, method, reason }]) => ({
          id: row, name: row, mean: value, interval: confidence_interval_95,
          method: method ? methodWords(method) : null,
          small: isFew(people.n_labelled) && row !== "judge's mean, raw",
          words: estimateWords({ value, confidence_interval_95, reason }), notes: reason ? [reason] : [],
          series: row === "… corrected by people" ? 2 : 1,
        }))}
      />
    </div>
  )
}

/** How often which rating of the judge met which of people's, with the shares of each row. */
function Confusion({ people }: { people: Calibration }) {
  const table = people.confusion
  if (!table) {
    const why = people.scale === "numbers" ? "the scores are numbers of more than 20 values" : "both rated too few targets, or too many different ones"
    return <p className="mute">No table of who said what: {why}. Judge − people is {deltaText(people.bias.value)} on average.</p>
  }
  return (
    <div className={styles.scroll} tabIndex={0} role="group" aria-label="Who said what">
      <table className={styles.confusion}>
        <caption>What the judge said (columns) where people said this (rows)</caption>
        <thead>
          <tr>
            <th scope="col">people ↓ judge →</th>
            {table.ratings.map((rating) => (
              <th key={rating} scope="col"><Characters text={ratingText(rating)} /></th>
            ))}
            <th scope="col">n</th>
          </tr>
        </thead>
        <tbody>
          {table.counts.map((row, index) => {
            const n = row.reduce((sum, count) => sum + count, 0)
            return (
              <tr key={table.ratings[index]}>
                <th scope="row"><Characters text={ratingText(table.ratings[index] ?? "")} /></th>
                {row.map((count, column) => (
                  <td key={table.ratings[column]} data-same={index === column}>
                    {count === 0 ? <span className="mute">0</span> : countText(count)} {count > 0 && <span className="mute">{shareText(count / n, n)}</span>}
                  </td>
                ))}
                <td>{countText(n)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Targets of which the judge said much the same, and how many of them have a label. */
function Strata({ next }: { next: ToLabel }) {
  if (next.strata.length === 0) return null
  return (
    <div className={styles.scroll} tabIndex={0} role="group" aria-label="Groups of targets">
      <table className={styles.confusion}>
        <caption>Groups of targets of which the judge said much the same</caption>
        <thead>
          <tr>
            <th scope="col">judge said</th>
            <th scope="col">targets</th>
            <th scope="col">labelled</th>
            <th scope="col">one label more narrows by</th>
          </tr>
        </thead>
        <tbody>
          {next.strata.map((stratum) => (
            <tr key={stratum.name}>
              <th scope="row"><Characters text={stratum.name} /></th>
              <td>{countText(stratum.targets)}</td>
              <td>{countText(stratum.labelled)}</td>
              <td>{stratum.gain === null ? <span className="mute">not known: too few labels here</span> : `±${stratum.gain.toPrecision(2)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

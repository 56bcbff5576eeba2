import { useQueries } from "@tanstack/react-query"
import { runQuery } from "../../api/experiments"
import { asProblem } from "../../api/problem"
import { Diff } from "../../parts/Diff"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Text } from "../../parts/Text"
import type { AnswerRow } from "./answers"
import styles from "./Playground.module.css"

interface Props {
  row: AnswerRow
  letters: string[]
  onClose: () => void
}

/** The answers to one item whole, and word by word how they differ: from the first candidate's, or from the expected. */
export function Difference({ row, letters, onClose }: Props) {
  const answered = row.answers.flatMap((run, at) => (run === undefined || run.error ? [] : [{ run, letter: letters[at] ?? "?" }]))
  const whole = useQueries({ queries: answered.map(({ run }) => runQuery(run.id, false)) })
  const failure = whole.find((one) => one.error)?.error
  const texts = whole.map((one) => (one.data === undefined ? undefined : textOf(one.data.output)))
  const expected = textOf(whole[0]?.data?.expected_output)
  return (
    <section className={styles.difference} aria-label="Differences">
      <div className={styles.top}>
        <h3>Differences</h3>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {failure ? <ProblemBox problem={asProblem(failure)} /> : texts.includes(undefined) ? <Loading what="the answers" rows={3} /> : (
        answered.map(({ letter }, at) => {
          const text = texts[at] ?? ""
          const base = at > 0 ? { text: texts[0] ?? "", label: answered[0]?.letter ?? "" } : expected === "" ? undefined : { text: expected, label: "expected" }
          return base === undefined ? (
            <div key={letter}>
              <h4>{letter}</h4>
              <Text text={text} />
            </div>
          ) : (
            <div key={letter}>
              <h4>
                {base.label} → {letter}
              </h4>
              <Diff before={base.text} after={text} beforeLabel={base.label} afterLabel={letter} />
            </div>
          )
        })
      )}
      {answered.length === 0 && <p className="mute">There is no answer to compare yet.</p>}
    </section>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ""
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 1)
}

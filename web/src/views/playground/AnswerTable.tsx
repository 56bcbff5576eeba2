import { Link } from "@tanstack/react-router"
import { Fragment } from "react"
import type { ExperimentRow, LeanRun } from "../../api/experiments"
import { letterOf } from "../../api/playground"
import { Characters } from "../../parts/Text"
import { scoreText } from "../../words/format"
import type { AnswerRow } from "./answers"
import { Difference } from "./Difference"
import styles from "./Playground.module.css"

interface Props {
  project: string
  experiments: ExperimentRow[]
  rows: AnswerRow[]
  /** Answers may still come. */
  open: boolean
  shown: string | undefined
  onShow: (key: string | undefined) => void
}

/** Item by item: what was asked, what was expected, and each candidate's answer with its scores. */
export function AnswerTable({ project, experiments, rows, open, shown, onShow }: Props) {
  const trials = rows.some((row) => row.trial > 0)
  return (
    <div className={styles.scroll} role="group" aria-label="Answers side by side" tabIndex={0}>
      <table className={styles.answers}>
        <thead>
          <tr>
            <th scope="col">Item</th>
            {experiments.map((experiment) => (
              <th key={experiment.id} scope="col">
                {letterOf(experiment)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={row.key}>
            <tr aria-current={row.key === shown || undefined}>
              <th scope="row">
                <div className={styles.clip}>
                  <Characters text={row.input} />
                </div>
                {row.expected !== null && (
                  <div className={styles.clip}>
                    <span className="mute">expected </span>
                    <Characters text={row.expected} />
                  </div>
                )}
                {trials && <div className="mute">answer {row.trial + 1}</div>}
                <button type="button" data-kind="link" aria-expanded={row.key === shown} onClick={() => onShow(row.key === shown ? undefined : row.key)}>
                  Differences
                </button>
              </th>
              {row.answers.map((run, at) => (
                <td key={experiments[at]?.id ?? at}>
                  <Answer project={project} run={run} open={open} />
                </td>
              ))}
            </tr>
            {row.key === shown && (
              <tr>
                <td colSpan={experiments.length + 1}>
                  <Difference row={row} letters={experiments.map(letterOf)} onClose={() => onShow(undefined)} />
                </td>
              </tr>
            )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Answer({ project, run, open }: { project: string; run: LeanRun | undefined; open: boolean }) {
  if (run === undefined) return <span className="mute">{open ? "…" : "no answer"}</span>
  return (
    <>
      {run.error ? (
        <p className={styles.wrong}>
          ✕ <Characters text={run.error.message} />
        </p>
      ) : (
        <p className={styles.answer}>
          <Characters text={run.output ?? ""} />
          {run.output_size > (run.output ?? "").length * 4 && "…"}
        </p>
      )}
      <p className={styles.scores}>
        {run.scores.map((score) => (
          <span key={score.scorer_name} title={score.reason ?? undefined}>
            <span className="mute">{score.scorer_name}</span>{" "}
            {score.state === "pending" ? "…" : typeof score.value === "number" ? <b className="number">{scoreText(score.value)}</b> : <b>{score.value ?? score.state}</b>}
          </span>
        ))}
        {run.trace_id !== null && (
          <Link to="/projects/$project/traces/$trace" params={{ project, trace: run.trace_id }}>
            Trace
          </Link>
        )}
      </p>
    </>
  )
}

import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ItemRun } from "../../api/datasets"
import { itemRunsQuery, RUNS_PAGE } from "../../api/datasets"
import { asProblem } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { jsonText } from "../../parts/jsonParts"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { scoreText } from "../../words/format"
import styles from "./Datasets.module.css"

const SHOWN = 120
const SHOWN_SCORERS = 6

/** The runs on an item over all experiments, newest first, with their scores. */
export function ItemRuns({ project, dataset, item }: { project: string; dataset: string; item: string }) {
  const list = useInfiniteQuery(itemRunsQuery(dataset, item))
  const runs = rowsOf(list.data)
  if (list.error) return <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
  if (!runs) return <Loading what="its runs" />
  if (runs.length === 0) return <p className="mute">No experiment has run on this item yet.</p>
  const names = [...new Set(runs.flatMap((run) => run.scores.map((score) => score.scorer_name)))].sort()
  const shown = names.slice(0, SHOWN_SCORERS)
  return (
    <section className={styles.runs} aria-label="Runs on this item">
      <h3>Runs on this item</h3>
      <div className={styles.scroll} role="group" tabIndex={0} aria-label="Runs on this item, table">
        <table>
          <thead>
            <tr>
              <th scope="col">Experiment</th>
              <th scope="col">Trial</th>
              <th scope="col">Output</th>
              {shown.map((name) => (
                <th key={name} scope="col" className="number">
                  <Characters text={name} />
                </th>
              ))}
              <th scope="col">Trace</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <Row key={run.run_id} run={run} project={project} scorers={shown} />
            ))}
          </tbody>
        </table>
      </div>
      {names.length > SHOWN_SCORERS && (
        <p className="mute">
          Not shown: <Characters text={names.slice(SHOWN_SCORERS).join(", ")} />
        </p>
      )}
      {list.hasNextPage && (
        <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchingNextPage ? "Loading…" : `Load ${RUNS_PAGE} more runs`}
        </button>
      )}
    </section>
  )
}

function Row({ run, project, scorers }: { run: ItemRun; project: string; scorers: readonly string[] }) {
  return (
    <tr>
      <td>
        <Link to="/projects/$project/experiments/$experiment" params={{ project, experiment: run.experiment_id }} search={{ run: run.run_id } as never}>
          <Characters text={run.experiment_name.slice(0, 60)} />
        </Link>
      </td>
      <td className="number">{run.trial + 1}</td>
      <td className={styles.output}>
        <Output run={run} />
      </td>
      {scorers.map((name) => (
        <td key={name} className="number">
          <Scores run={run} name={name} />
        </td>
      ))}
      <td>
        {run.trace_id === null ? (
          <span className="mute">none</span>
        ) : (
          <Link to="/projects/$project/traces/$trace" params={{ project, trace: run.trace_id }}>
            open<span className="hidden-text"> the trace</span>
          </Link>
        )}
      </td>
      <td className={styles.when}>
        <Time at={run.created_at} />
      </td>
    </tr>
  )
}

function Output({ run }: { run: ItemRun }) {
  if (run.error !== null) {
    const message = (run.error as { message?: unknown }).message
    return (
      <span className={styles.failed}>
        ✕ <Characters text={String(message ?? "failed").slice(0, SHOWN)} />
      </span>
    )
  }
  if (run.output === null) return <span className="mute">no output</span>
  const text = typeof run.output === "string" ? run.output : jsonText(run.output)
  return <Characters text={text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text} />
}

/** The newest score of a scorer, or that there is none. */
function Scores({ run, name }: { run: ItemRun; name: string }) {
  const score = run.scores.find((score) => score.scorer_name === name)
  if (score === undefined) return <span className="mute">{run.error === null ? "no score" : "run failed"}</span>
  if (typeof score.value === "number") return <span title={score.rationale ?? undefined}>{scoreText(score.value)}</span>
  return <Characters text={String(score.value).slice(0, 40)} />
}

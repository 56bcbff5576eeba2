import { useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ExperimentRow } from "../../api/experiments"
import { changeJob, isOpen, jobQuery } from "../../api/jobs"
import { letterOf, playedRunsQuery, SHOWN_RUNS } from "../../api/playground"
import { asProblem } from "../../api/problem"
import { useWrite } from "../../api/write"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { WriteButton } from "../../parts/WriteButton"
import { countText, countWords, moneyText } from "../../words/format"
import { AnswerTable } from "./AnswerTable"
import { answerRows } from "./answers"
import { Means } from "./Means"
import styles from "./Playground.module.css"

interface Props {
  project: string
  job: string
  experiments: ExperimentRow[] | undefined
  problem: unknown
  /** Item and trial whose answers are looked at whole. */
  item: string | undefined
  onItem: (item: string | undefined) => void
}

/** What came of a run, as it arrives. */
export function Results({ project, job, experiments, problem, item, onItem }: Props) {
  const state = useQuery(jobQuery(job))
  const open = state.data !== undefined && isOpen(state.data)
  const pages = useQueries({ queries: (experiments ?? []).map((experiment) => playedRunsQuery(experiment.id, open)) })
  const failure = problem ?? state.error ?? pages.find((page) => page.error)?.error
  if (failure) return <ProblemBox problem={asProblem(failure)} onRetry={() => void state.refetch()} />
  if (experiments === undefined || state.data === undefined) return <Loading what="the answers" rows={6} />
  const runs = pages.map((page) => page.data?.items ?? [])
  const rows = answerRows(runs)
  const [first, ...others] = experiments
  return (
    <section className={styles.results} aria-label="Answers" aria-busy={open}>
      <Standing job={state.data} />
      <ul className={styles.means} aria-label="Candidates">
        {experiments.map((experiment) => (
          <li key={experiment.id}>
            <b>{letterOf(experiment)}</b> <Characters text={String(experiment.metadata?.["model"] ?? "")} />
            <Means project={project} experiment={experiment} />
            <Link to="/projects/$project/experiments/$experiment" params={{ project, experiment: experiment.id }}>
              Open as experiment<span className="hidden-text"> {letterOf(experiment)}</span>
            </Link>
            {first !== undefined && others.includes(experiment) && (
              <Link to="/projects/$project/compare/$base/$candidate" params={{ project, base: first.id, candidate: experiment.id }}>
                Compare {letterOf(first)} with {letterOf(experiment)}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {pages.some((page) => page.data?.next_cursor) && <p className="mute">The first {SHOWN_RUNS} answers of each are shown; all are in the experiments.</p>}
      {rows.length > 0 && <AnswerTable project={project} experiments={experiments} rows={rows} open={open} shown={item} onShow={onItem} />}
    </section>
  )
}

/** How far the job is, and what can be done about it. */
function Standing({ job }: { job: Parameters<typeof isOpen>[0] & { id: string; counts: Record<string, number>; total: number; reason: string | null; cost_usd?: number | null } }) {
  const change = useWrite(changeJob, { changes: [["jobs"]] })
  const answered = job.counts["answered"] ?? 0
  const what = { queued: "Waits for a worker", running: "Running", done: "Done", failed: "Stopped", cancelled: "Cancelled" }[job.status]
  return (
    <div className={styles.top}>
      <div>
        <h2>Answers</h2>
        <p role="status">
          {what}: {countWords(answered, "answer")}{isOpen(job) && " so far"}
          {(job.counts["failed"] ?? 0) > 0 && <>, {countText(job.counts["failed"])} failed</>}
          {job.cost_usd !== null && job.cost_usd !== undefined && <>, {moneyText(job.cost_usd)} spent on candidates</>}
        </p>
        {job.reason && <p className={styles.wrong}>✕ {job.reason}</p>}
        {change.problem && <ProblemBox problem={change.problem} onRetry={change.retry} />}
      </div>
      {isOpen(job) && (
        <WriteButton busy={change.busy} onClick={() => change.run({ id: job.id, what: "cancel" })}>
          Cancel
        </WriteButton>
      )}
      {(job.status === "failed" || job.status === "cancelled") && (
        <WriteButton busy={change.busy} onClick={() => change.run({ id: job.id, what: "retry" })}>
          Go on where it stopped
        </WriteButton>
      )}
    </div>
  )
}

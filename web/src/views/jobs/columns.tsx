import { Link } from "@tanstack/react-router"
import type { Job } from "../../api/jobs"
import type { Column } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { WriteButton } from "../../parts/WriteButton"
import { absence } from "../../words/absence"
import { countText, shortId } from "../../words/format"
import css from "./Jobs.module.css"
import { actionOf, countsWords, jobCost, kindWords, progressOf, statusLook } from "./jobWords"
import type { Changing } from "./useChanging"

export function jobColumns({ project, write }: { project: string; write: Changing }): Column<Job>[] {
  return [
    { id: "status", head: "Status", width: 82, cell: (job) => <Status job={job} /> },
    { id: "kind", head: "Kind", width: 172, grow: 1, cell: (job) => <Kind job={job} /> },
    { id: "target", head: "Target", width: 132, cell: (job) => <Target job={job} project={project} /> },
    { id: "progress", head: "Progress", width: 124, cell: (job) => <Bar job={job} /> },
    { id: "cost", head: "Cost", width: 66, align: "end", cell: (job) => <Cost job={job} /> },
    { id: "age", head: "Age", width: 84, align: "end", cell: (job) => <Time at={job.created_at} short /> },
    { id: "reason", head: "Reason", width: 190, grow: 1, cell: (job) => <Reason job={job} /> },
    { id: "action", head: <span className="hidden-text">Actions</span>, width: 58, cell: (job) => <Action job={job} write={write} /> },
  ]
}

export function Status({ job }: { job: Job }) {
  const { shape, tone } = statusLook(job.status)
  return (
    <span className={css.status}>
      <span className={css.shape} data-tone={tone} aria-hidden="true">
        {shape}
      </span>
      {job.status}
    </span>
  )
}

function Kind({ job }: { job: Job }) {
  if (!job.scorer_name) return <>{kindWords(job.kind)}</>
  return (
    <span title={`${kindWords(job.kind)}: ${job.scorer_name}`}>
      {kindWords(job.kind)}{" "}
      <b>
        <Characters text={job.scorer_name} />
      </b>
    </span>
  )
}

/** Where what the job works on can be seen. */
export function Target({ job, project }: { job: Job; project: string }) {
  if (job.target_type === "run" && job.experiment_id) {
    return (
      <Link to="/projects/$project/experiments/$experiment" params={{ project, experiment: job.experiment_id }} search={{ run: job.target_id } as never}>
        run {shortId(job.target_id)}
      </Link>
    )
  }
  if (job.trace_id) {
    const span = job.target_type === "span"
    return (
      <Link to="/projects/$project/traces/$trace" params={{ project, trace: job.trace_id }} search={(span ? { span: job.target_id } : {}) as never}>
        {span ? `span ${shortId(job.target_id)}` : `trace ${shortId(job.trace_id)}`}
      </Link>
    )
  }
  if (job.experiment_id) {
    return (
      <Link to="/projects/$project/experiments/$experiment" params={{ project, experiment: job.experiment_id }}>
        experiment {shortId(job.experiment_id)}
      </Link>
    )
  }
  if (job.target_type && job.target_id) return <span>{`${job.target_type} ${shortId(job.target_id)}`}</span>
  return (
    <span className="mute" title="It has no single target">
      {job.kind === "score_spans" ? "spans by a rule" : "the project"}
    </span>
  )
}

const BAR = 40

/** How far it is. A single piece needs no bar. */
export function Bar({ job }: { job: Job }) {
  const { ended, failed, total, text } = progressOf(job)
  const words = countsWords(job.counts)
  const width = (count: number): number => (BAR * count) / total
  return (
    <span className={css.progress} title={words || undefined}>
      {total > 1 && (
        <svg width={BAR} height={8} aria-hidden="true">
          <rect className={css.rest} width={BAR} height={8} />
          <rect className={css.fine} width={width(ended - failed)} height={8} />
          <rect className={css.failed} x={width(ended - failed)} width={width(failed)} height={8} />
        </svg>
      )}
      <span>{text}</span>
      {failed > 0 && total > 1 && <span className={css.bad}>✕{countText(failed)}</span>}
    </span>
  )
}

function Cost({ job }: { job: Job }) {
  const { text, why } = jobCost(job)
  return <span title={why}>{text}</span>
}

/** Why it failed, in a sentence; what the server said is in the tooltip and in the detail. */
function Reason({ job }: { job: Job }) {
  if (!job.reason) {
    const why = job.status === "failed" ? "The server gave no reason" : "It did not fail"
    return <span title={why}>{job.status === "failed" ? "no reason given" : "–"}</span>
  }
  return (
    <span title={job.reason} className={css.reason}>
      <Characters text={absence(job.reason).sentence} />
    </span>
  )
}

/** Retry or cancel, where it can be; in a row without a frame. */
export function Action({ job, write, framed = false }: { job: Job; write: Changing; framed?: boolean }) {
  const what = actionOf(job.status)
  if (what === undefined) return null
  return (
    <WriteButton {...(framed ? {} : { kind: "plain" as const })} busy={write.busyId === job.id} onClick={() => write.run({ id: job.id, what })}>
      {what === "retry" ? "Retry" : "Cancel"}
      <span className="hidden-text"> the job {shortId(job.id)}</span>
    </WriteButton>
  )
}

import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useSession } from "../../api/queries"
import type { Target } from "../../api/review"
import { dequeue } from "../../api/review"
import type { TraceRow } from "../../api/traces"
import { deleteTrace } from "../../api/traces"
import { useWrite } from "../../api/write"
import { useKeys, withKey } from "../../keys"
import { announce } from "../../live"
import { Copy } from "../../parts/Copy"
import { Dialog } from "../../parts/Dialog"
import { ProblemBox } from "../../parts/Problem"
import { Share } from "../../parts/Share"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { ToQueue } from "../../parts/ToQueue"
import { ViewLink } from "../../parts/ViewLink"
import { refusal, WriteButton } from "../../parts/WriteButton"
import { countText, countWords, durationText, moneyText } from "../../words/format"
import { ToDataset } from "./ToDataset"
import styles from "./Trace.module.css"

interface Props {
  project: string
  trace: TraceRow
  errors: number
  onNextError: () => void
}

export function TraceHead({ project, trace, errors, onNextError }: Props) {
  const [dialog, setDialog] = useState<"dataset" | "delete" | "queue">()
  const target: Target = { type: "trace", id: trace.id }
  const leave = useWrite(() => dequeue(project, target), {
    changes: [["trace", project, trace.id], ["traces"], ["review"]],
    onDone: () => announce("Taken out of the review queue."),
  })
  const mayWrite = refusal(useSession(), "write") === undefined
  const toggle = (): void => (trace.in_queue ? leave.run(undefined) : setDialog("queue"))
  useKeys({ "trace.queue": toggle }, { on: mayWrite })
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h1>
          <Characters text={trace.name ?? "Trace without a root span"} />
        </h1>
        <div className={styles.buttons}>
          <WriteButton onClick={toggle} busy={leave.busy} title={withKey("Review queue", "trace.queue")}>
            {trace.in_queue ? "Take out of the queue" : "Add to the queue…"}
          </WriteButton>
          <WriteButton onClick={() => setDialog("dataset")} refused={trace.root_span_id === null ? "There is no root span." : undefined}>
            To dataset…
          </WriteButton>
          <WriteButton kind="danger" onClick={() => setDialog("delete")}>
            Delete…
          </WriteButton>
          <Share project={project} noun="trace" />
          <Copy text={trace.id} what="the trace's id" />
        </div>
      </div>
      <Facts trace={trace} errors={errors} onNextError={onNextError} />
      {leave.problem && <ProblemBox problem={leave.problem} onRetry={leave.retry} />}
      {dialog === "queue" && <ToQueue project={project} target={target} onClose={() => setDialog(undefined)} />}
      {dialog === "dataset" && <ToDataset project={project} trace={trace} onClose={() => setDialog(undefined)} />}
      {dialog === "delete" && <Delete project={project} trace={trace} onClose={() => setDialog(undefined)} />}
    </header>
  )
}

function Facts({ trace, errors, onNextError }: { trace: TraceRow; errors: number; onNextError: () => void }) {
  const cost =
    trace.cost_usd !== null && trace.cost_usd !== undefined
      ? moneyText(trace.cost_usd)
      : trace.unpriced_span_count > 0
        ? `cost unknown (${countWords(trace.unpriced_span_count, "model call")} without a price)`
        : undefined
  return (
    <p className={styles.facts}>
      <Time at={trace.started_at ?? trace.created_at} />
      <span>{trace.duration_ms === null ? "duration not known" : durationText(trace.duration_ms)}</span>
      <span>{countWords(trace.span_count, "span")}</span>
      {errors > 0 ? (
        <button type="button" data-kind="link" className={styles.failed} onClick={onNextError} title={withKey("Next error", "trace.nextError")}>
          ✕ {countWords(errors, "error")}
        </button>
      ) : (
        <span>no errors</span>
      )}
      {trace.tokens > 0 && <span>{countText(trace.tokens, "tok")}</span>}
      {cost !== undefined && <span>{cost}</span>}
      {trace.model !== null && <Characters text={trace.model} />}
      {trace.in_queue && (
        <Link to="/projects/$project/review/$type/$target" params={{ project: trace.project_id, type: "trace", target: trace.id }}>
          Review it
        </Link>
      )}
      {trace.conversation_id && (
        <ViewLink
          to="/projects/$project/conversations/$conversation"
          params={{ project: trace.project_id, conversation: trace.conversation_id }}
          search={{ turn: trace.id }}
        >
          conversation <Characters text={trace.conversation_id} />
        </ViewLink>
      )}
    </p>
  )
}

function Delete({ project, trace, onClose }: { project: string; trace: TraceRow; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useWrite(() => deleteTrace(project, trace.id), {
    changes: [["traces"]],
    onDone: () => void navigate({ to: "/projects/$project/traces", params: { project } }),
  })
  return (
    <Dialog
      title="Delete this trace?"
      onClose={onClose}
      actions={
        <WriteButton kind="danger" busy={remove.busy} onClick={() => remove.run(undefined)}>
          Delete {countWords(trace.span_count, "span")}
        </WriteButton>
      }
    >
      <p>
        <b>
          <Characters text={trace.name ?? trace.id} />
        </b>{" "}
        goes with its spans, their scores, its annotations and its place in the queue. This cannot be undone.
      </p>
      {remove.problem && <ProblemBox problem={remove.problem} onRetry={remove.retry} />}
    </Dialog>
  )
}

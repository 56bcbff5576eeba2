import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import type { TraceRow } from "../../api/traces"
import { deleteTrace, setQueued } from "../../api/traces"
import { useWrite } from "../../api/write"
import { useKeys, withKey } from "../../keys"
import { announce } from "../../live"
import { Copy } from "../../parts/Copy"
import { Dialog } from "../../parts/Dialog"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { WriteButton } from "../../parts/WriteButton"
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
  const [dialog, setDialog] = useState<"dataset" | "delete">()
  const queue = useWrite((queued: boolean, key: string) => setQueued(project, { id: trace.id, queued }, key), {
    changes: [["trace", project, trace.id], ["traces"], ["queue"]],
    onDone: (_, queued) => announce(queued ? "Put into the review queue." : "Taken out of the review queue."),
  })
  const toggle = (): void => queue.run(!trace.in_queue)
  useKeys({ "trace.queue": toggle })
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h1>
          <Characters text={trace.name ?? "Trace without a root span"} />
        </h1>
        <div className={styles.buttons}>
          <WriteButton onClick={toggle} busy={queue.busy} title={withKey("Review queue", "trace.queue")}>
            {trace.in_queue ? "Take out of the queue" : "Add to the queue"}
          </WriteButton>
          <WriteButton onClick={() => setDialog("dataset")} refused={trace.root_span_id === null ? "There is no root span." : undefined}>
            To dataset…
          </WriteButton>
          <WriteButton kind="danger" onClick={() => setDialog("delete")}>
            Delete…
          </WriteButton>
          <Copy text={trace.id} what="the trace's id" />
        </div>
      </div>
      <Facts trace={trace} errors={errors} onNextError={onNextError} />
      {queue.problem && <ProblemBox problem={queue.problem} onRetry={queue.retry} />}
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
      {trace.conversation_id && (
        <span>
          conversation <Characters text={trace.conversation_id} />
        </span>
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

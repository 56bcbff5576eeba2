import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { asProblem } from "../../api/problem"
import type { TraceRow } from "../../api/traces"
import { addItem, datasetNamesQuery, spanQuery } from "../../api/traces"
import { useWrite } from "../../api/write"
import { Dialog } from "../../parts/Dialog"
import { jsonText } from "../../parts/jsonParts"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { WriteButton } from "../../parts/WriteButton"
import styles from "./Trace.module.css"

/** The root span's input becomes a dataset item; its output is the expected one unless it is changed here. */
export function ToDataset({ project, trace, onClose }: { project: string; trace: TraceRow; onClose: () => void }) {
  const datasets = useQuery(datasetNamesQuery(project))
  const root = useQuery(spanQuery(project, trace.id, trace.root_span_id ?? "", true))
  const problem = datasets.error ?? root.error
  return (
    <Dialog title="Save to a dataset" onClose={onClose} wide>
      {problem ? (
        <ProblemBox problem={asProblem(problem)} />
      ) : !datasets.data || !root.data ? (
        <Loading what="the trace and the datasets" />
      ) : datasets.data.items.length === 0 ? (
        <p>
          There is no dataset yet. <Link to="/projects/$project/datasets" params={{ project }}>Make one</Link> first.
        </p>
      ) : (
        <Form datasets={datasets.data.items} input={root.data.input} output={root.data.output} trace={trace} project={project} />
      )}
    </Dialog>
  )
}

interface FormProps {
  project: string
  datasets: { id: string; name: string }[]
  input: unknown
  output: unknown
  trace: TraceRow
}

function Form({ project, datasets, input, output, trace }: FormProps) {
  const [dataset, setDataset] = useState(datasets[0]?.id ?? "")
  const [expected, setExpected] = useState(typeof output === "string" ? output : jsonText(output ?? null))
  const save = useWrite(addItem, { changes: [["datasets"], ["dataset", dataset]] })
  const sent = asSent(expected, typeof output === "string")
  if (save.done) {
    return (
      <p role="status">
        Saved.{" "}
        <Link to="/projects/$project/datasets/$dataset" params={{ project, dataset }}>
          Open the dataset
        </Link>
      </p>
    )
  }
  return (
    <div className={styles.form}>
      <label>
        Dataset
        <select value={dataset} onChange={(event) => setDataset(event.target.value)}>
          {datasets.map((dataset) => (
            <option key={dataset.id} value={dataset.id}>
              {dataset.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Expected output
        <textarea rows={8} value={expected} onChange={(event) => setExpected(event.target.value)} />
      </label>
      {sent.problem !== undefined && <p role="alert">{sent.problem}</p>}
      {save.problem && <ProblemBox problem={save.problem} onRetry={save.retry} />}
      <WriteButton
        kind="main"
        busy={save.busy}
        refused={sent.problem}
        onClick={() => save.run({ dataset, input, expected_output: sent.value, metadata: { trace_id: trace.id } })}
      >
        Save the item
      </WriteButton>
    </div>
  )
}

/** Text stays text where the output was one; else it is read as JSON. */
export function asSent(text: string, isText: boolean): { value?: unknown; problem?: string } {
  if (isText) return { value: text }
  if (text.trim() === "") return { value: null }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `The expected output is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

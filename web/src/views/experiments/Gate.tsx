import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { GateWish, Summary, ThresholdResult } from "../../api/experiments"
import { saveGate, tryGateQuery } from "../../api/experiments"
import { asProblem } from "../../api/problem"
import { useWrite } from "../../api/write"
import { ProblemBox } from "../../parts/Problem"
import { gateFigures } from "../../parts/summaryFigures"
import { WriteButton } from "../../parts/WriteButton"
import { GateStrip } from "../../plots/GateStrip"
import { useWidth } from "../../plots/useWidth"
import styles from "./Experiment.module.css"

interface Props {
  experiment: string
  summary: Summary
  scorer: string | undefined
  zoom: boolean
}

/** The last gate, and another bar to try: looking stores nothing, saving does. */
export function Gate({ experiment, summary, scorer, zoom }: Props) {
  const [wish, setWish] = useState<GateWish>()
  const tried = useQuery(tryGateQuery(experiment, wish))
  const save = useWrite((input: GateWish, key: string) => saveGate(experiment, input, key), {
    changes: [["experiment", experiment]],
    onDone: () => setWish(undefined),
  })
  const [box, width] = useWidth<HTMLElement>(320, 360)
  const shown = wish === undefined ? summary.threshold_result : tried.data
  return (
    <section className={styles.gate} aria-label="Gate" ref={box}>
      <h2>Gate</h2>
      {shown ? <Strip result={shown} zoom={zoom} width={width} /> : wish === undefined && <p className="mute">No gate was evaluated yet.</p>}
      {tried.error && <ProblemBox problem={asProblem(tried.error)} />}
      {scorer !== undefined && (
        <Form scorer={scorer} start={summary.threshold_result?.threshold ?? 0.7} wish={wish} onTry={setWish} />
      )}
      {wish !== undefined && (
        <div className={styles.buttons}>
          <WriteButton kind="main" busy={save.busy} onClick={() => save.run(wish)}>
            Save as the gate
          </WriteButton>
          <button type="button" onClick={() => setWish(undefined)}>
            Back to the saved one
          </button>
        </div>
      )}
      {save.problem && <ProblemBox problem={save.problem} onRetry={save.retry} />}
    </section>
  )
}

function Strip({ result, zoom, width }: { result: ThresholdResult; zoom: boolean; width: number }) {
  const metric = result.metric === "mean" ? "" : `, ${result.metric}${result.k === null ? "" : `(${result.k})`}`
  return (
    <GateStrip
      width={width}
      name={result.scorer_name + metric}
      {...gateFigures(result)}
      zoom={zoom}
    />
  )
}

interface FormProps {
  scorer: string
  start: number
  wish: GateWish | undefined
  onTry: (wish: GateWish) => void
}

function Form({ scorer, start, wish, onTry }: FormProps) {
  const [bar, setBar] = useState(String(start))
  const [bound, setBound] = useState<"point" | "ci">("ci")
  const value = Number(bar)
  const valid = bar.trim() !== "" && Number.isFinite(value)
  return (
    <form
      className={styles.gateForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (valid) onTry({ scorer_name: scorer, metric: "mean", threshold: value, comparison: "gte", bound })
      }}
    >
      <label>
        mean of {scorer} at least
        <input type="number" step="0.01" value={bar} onChange={(event) => setBar(event.target.value)} aria-invalid={!valid} />
      </label>
      <label>
        decided by
        <select value={bound} onChange={(event) => setBound(event.target.value as "point" | "ci")}>
          <option value="ci">the interval</option>
          <option value="point">the mean alone</option>
        </select>
      </label>
      <button type="submit">{wish === undefined ? "Try this bar" : "Try"}</button>
    </form>
  )
}

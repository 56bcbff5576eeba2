import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { LeanRun, RunDetail } from "../../api/experiments"
import { runQuery, trialsQuery } from "../../api/experiments"
import { asProblem, blocks } from "../../api/problem"
import { Content } from "../../parts/Content"
import { Diff } from "../../parts/Diff"
import { jsonText } from "../../parts/jsonParts"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters, Text } from "../../parts/Text"
import { ToQueue } from "../../parts/ToQueue"
import { ViewLink } from "../../parts/ViewLink"
import { WriteButton } from "../../parts/WriteButton"
import { countText, scoreText } from "../../words/format"
import styles from "./Experiment.module.css"

/** One run in full: input, output, expected output, scores with their reasons, and the other trials of its item. */
export function RunPanel({ project, run }: { project: string; run: LeanRun }) {
  const [whole, setWhole] = useState(false)
  const begun = useQuery(runQuery(run.id, false))
  const full = useQuery({ ...runQuery(run.id, true), enabled: whole })
  const detail = full.data ?? begun.data
  if (blocks(begun)) return <ProblemBox problem={asProblem(begun.error)} onRetry={() => void begun.refetch()} />
  if (!detail) return <Loading what="the run" />
  const load = { onLoad: () => setWhole(true), loading: whole && !full.data }
  return (
    <div className={styles.run}>
      <Content label="Input" value={detail.input} size={detail.input_size} cut={detail.truncated.includes("input")} {...load} />
      {detail.error ? <RunFailed error={detail.error} /> : <Answer detail={detail} load={load} />}
      <Scores detail={detail} />
      <Trials experiment={run.experiment_id} item={run.dataset_item_id} current={run.id} />
      <p className={styles.facts}>
        {detail.trace_id === null ? (
          <span className="mute">No trace is stored for this run.</span>
        ) : (
          <ViewLink to="/projects/$project/traces/$trace" params={{ project, trace: detail.trace_id }}>
            Open its trace
          </ViewLink>
        )}
        {detail.attempts > 1 && <span>{countText(detail.attempts)} attempts</span>}
        <Queueing project={project} run={run.id} />
      </p>
    </div>
  )
}

/** Puts the run before a reviewer. */
function Queueing({ project, run }: { project: string; run: string }) {
  const [state, setState] = useState<"idle" | "asking" | "queued">("idle")
  if (state === "queued") {
    return (
      <ViewLink to="/projects/$project/review/$type/$target" params={{ project, type: "run", target: run }}>
        It is in the review queue
      </ViewLink>
    )
  }
  return (
    <>
      <WriteButton onClick={() => setState("asking")}>Add to the queue…</WriteButton>
      {state === "asking" && (
        <ToQueue project={project} target={{ type: "run", id: run }} onQueued={() => setState("queued")} onClose={() => setState((now) => (now === "asking" ? "idle" : now))} />
      )}
    </>
  )
}

interface Load {
  onLoad: () => void
  loading: boolean
}

function Answer({ detail, load }: { detail: RunDetail; load: Load }) {
  const [diff, setDiff] = useState(false)
  const comparable = detail.expected_output !== null && !detail.truncated.includes("output") && !detail.truncated.includes("expected_output")
  return (
    <div className={styles.answer}>
      {comparable && (
        <button type="button" aria-pressed={diff} onClick={() => setDiff(!diff)}>
          Differences to the expected output
        </button>
      )}
      {diff && comparable ? (
        <Diff before={textOf(detail.expected_output)} after={textOf(detail.output)} beforeLabel="expected" afterLabel="output" />
      ) : (
        <div className={styles.sideBySide}>
          <Content label="Output" value={detail.output} size={detail.output_size} cut={detail.truncated.includes("output")} {...load} />
          <Content label="Expected output" value={detail.expected_output} size={detail.expected_output_size} cut={detail.truncated.includes("expected_output")} absent="The item has none." {...load} />
        </div>
      )}
    </div>
  )
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value)
}

function RunFailed({ error }: { error: NonNullable<RunDetail["error"]> }) {
  return (
    <section className={styles.runError} aria-label="Error">
      <h3>
        ✕ <Characters text={error.type ?? "The run failed"} />
      </h3>
      <Text text={error.message} />
    </section>
  )
}

function Scores({ detail }: { detail: RunDetail }) {
  const states = detail.score_states ?? []
  if (detail.scores.length === 0 && states.length === 0) return <p className="mute">This run has no scores.</p>
  return (
    <section aria-label="Scores">
      <h3>Scores</h3>
      <ul className={styles.scores}>
        {detail.scores.map((score) => (
          <li key={score.id}>
            <b>
              <Characters text={score.scorer_name} />
            </b>{" "}
            {typeof score.value === "number" ? scoreText(score.value) : <Characters text={`“${score.value}”`} />}{" "}
            <span className="mute">
              {score.source}
              {score.config_hash && ` · configuration ${score.config_hash.slice(0, 8)}`}
            </span>
            {score.rationale && <Text text={score.rationale} />}
          </li>
        ))}
        {states.map((state) => (
          <li key={state.scorer_name}>
            <b>
              <Characters text={state.scorer_name} />
            </b>{" "}
            <span className="mute">
              no score · {state.state}
              {state.reason ? ": " : ""}
              <Characters text={state.reason ?? ""} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** All trials of the item, wrapped into rows. */
function Trials({ experiment, item, current }: { experiment: string; item: string; current: string }) {
  const { data } = useQuery(trialsQuery(experiment, item))
  if (!data || data.length < 2) return null
  return (
    <section aria-label="Trials of this item">
      <h3>Trials of this item</h3>
      <ul className={styles.trials}>
        {data
          .toSorted((a, b) => a.trial - b.trial)
          .map((run) => (
            <li key={run.id} className={run.id === current ? styles.current : undefined}>
              <p className="mute">
                trial {run.trial + 1}
                {run.scores.map((score) => (
                  <span key={score.scorer_name}>
                    {" "}
                    · <Characters text={score.scorer_name} />{" "}
                    {typeof score.value === "number" ? scoreText(score.value) : <Characters text={score.value ?? score.state} />}
                  </span>
                ))}
              </p>
              <Text text={run.error ? `✕ ${run.error.message}` : (run.output ?? "no output")} />
            </li>
          ))}
      </ul>
    </section>
  )
}

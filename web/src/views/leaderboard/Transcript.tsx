import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useEffect } from "react"
import type { RunTranscript } from "../../api/leaderboard"
import { transcriptQuery } from "../../api/leaderboard"
import { asProblem } from "../../api/problem"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { transcriptSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countWords, serverWords } from "../../words/format"
import { Claims } from "./Claims"
import { claimPlace } from "./claimPlaces"
import { Step } from "./Step"
import styles from "./Transcript.module.css"

/** One run: what the agent was told, said and did, with the evidence of each claim of its score in its place. */
export function Transcript() {
  const { project = "", run = "" } = useParams({ strict: false })
  const [state, change] = useViewState(transcriptSearch)
  const transcript = useQuery(transcriptQuery(run))
  useTitle(transcript.data ? `${transcript.data.agent_id} on ${transcript.data.scenario_id}` : "Transcript")
  const isThere = transcript.data !== undefined
  useEffect(() => {
    if (isThere && state.claim !== undefined) document.getElementById(claimPlace(state.claim))?.scrollIntoView({ block: "center" })
  }, [isThere, state.claim])
  if (transcript.error) return <ProblemBox problem={asProblem(transcript.error)} onRetry={() => void transcript.refetch()} />
  if (!transcript.data) return <Loading what="the transcript" rows={12} />
  const { data } = transcript
  return (
    <div className={styles.page}>
      <Head
        title={
          <>
            <Characters text={data.agent_id} /> on <Characters text={data.scenario_id} />
          </>
        }
        about={<About project={project} data={data} />}
      />
      {data.notes.map((note) => (
        <p key={note} className={styles.note}>
          <Characters text={note} />
        </p>
      ))}
      <div className={styles.columns}>
        <Claims data={data} chosen={state.claim} onChoose={(claim) => change({ claim })} />
        <ol className={styles.steps} aria-label="Transcript">
          {data.steps.map((step, at) => (
            <Step key={at} project={project} data={data} step={step} chosen={state.claim} />
          ))}
        </ol>
      </div>
      {data.step_count > data.steps.length && (
        <p className="mute">
          The first {data.steps.length} of {countWords(data.step_count, "step")}; the trace has all of them.
        </p>
      )}
    </div>
  )
}

function About({ project, data }: { project: string; data: RunTranscript }) {
  return (
    <span className={styles.facts}>
      <span>{verdictOf(data)}</span>
      <span>trial {data.trial + 1}</span>
      <span>{countWords(data.step_count, "step")}</span>
      {data.truncated > 0 && <span>{countWords(data.truncated, "long text")} cut</span>}
      <Link to="/projects/$project/traces/$trace" params={{ project, trace: data.trace_id }}>
        Trace
      </Link>
      <Link to="/projects/$project/experiments/$experiment" params={{ project, experiment: data.experiment_id }} search={{ run: data.run_id } as never}>
        Run in its experiment
      </Link>
      <Link to="/projects/$project/leaderboard" params={{ project }} search={{ dataset: data.dataset_id, agent: data.agent_id } as never}>
        Leaderboard
      </Link>
    </span>
  )
}

function verdictOf(data: RunTranscript): string {
  if (data.success === null) return data.reason === null ? "no run of a benchmark" : `not scorable: ${serverWords(data.reason)}`
  return data.success ? "✓ success" : "✕ no success"
}

import { useQuery } from "@tanstack/react-query"
import { asProblem } from "../../api/problem"
import type { ScoringState } from "../../api/traces"
import { traceScoresQuery } from "../../api/traces"
import { ProblemBox } from "../../parts/Problem"
import { ScoreItem } from "../../parts/ScoreItem"
import { Characters } from "../../parts/Text"
import styles from "./Trace.module.css"

/** The scores of one span with their reasons, and why others gave none. All of a trace's come with one call. */
export function SpanScores({ project, trace, span }: { project: string; trace: string; span: string }) {
  const { data, error } = useQuery(traceScoresQuery(project, trace))
  if (error) return <ProblemBox problem={asProblem(error)} />
  const scores = data?.scores.filter((score) => score.target_id === span) ?? []
  const states = data?.states.filter((state) => state.target_id === span) ?? []
  if (scores.length === 0 && states.length === 0) return null
  return (
    <section className={styles.scoreList} aria-label="Scores">
      <h3>Scores</h3>
      <ul>
        {scores.map((score) => (
          <ScoreItem key={score.id} score={score} />
        ))}
        {states.map((state) => (
          <NoScore key={state.scorer_name} state={state} />
        ))}
      </ul>
    </section>
  )
}

function NoScore({ state }: { state: ScoringState }) {
  return (
    <li>
      <div className={styles.scoreHead}>
        <b>
          <Characters text={state.scorer_name} />
        </b>
        <span className="mute">
          no score · {state.state}
          {state.reason ? ": " : ""}
          <Characters text={state.reason ?? ""} />
        </span>
      </div>
    </li>
  )
}

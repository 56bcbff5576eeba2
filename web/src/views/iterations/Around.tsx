import type { Iteration, IterationContext, Score } from "../../api/iterations"
import { asProblem } from "../../api/problem"
import { Evidence } from "../../parts/Evidence"
import { ProblemBox } from "../../parts/Problem"
import { Characters, Text } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { ViewLink } from "../../parts/ViewLink"
import { Interval } from "../../plots/Interval"
import { sourceAddress } from "../../words/forge"
import { countText, countWords, scoreText } from "../../words/format"
import { isSmall, notesOf } from "../../words/methods"
import styles from "./Iteration.module.css"
import { Commit } from "./Signals"

interface Props {
  project: string
  iteration: Iteration
  context: IterationContext | undefined
  scores: readonly Score[] | undefined
  problem: unknown
}

/** What stands around an iteration: commit, session, traces, other rubrics, and what people and judges say. */
export function Around({ project, iteration, context, scores, problem }: Props) {
  return (
    <aside className={styles.around} aria-label="Around this iteration">
      {problem !== null && problem !== undefined && <ProblemBox problem={asProblem(problem)} />}
      <section className={styles.part}>
        <h2>Commit</h2>
        {iteration.commit ? <p><Commit hash={iteration.commit} source={sourceAddress(iteration)} copies /></p> : <p className="mute">The entry names no commit.</p>}
        <p className="mute">
          in <Characters text={iteration.source} />
        </p>
      </section>
      <Session project={project} iteration={iteration} context={context} />
      {context && context.other_rubrics.length > 0 && (
        <section className={styles.part}>
          <h2>By other rubrics</h2>
          <ul>
            {context.other_rubrics.map((other) => (
              <li key={other.id}>
                <ViewLink to="/projects/$project/iterations/$iteration" params={{ project, iteration: other.id }}>
                  <Characters text={other.rubric_version} />
                </ViewLink>{" "}
                {other.value === null ? "not scored" : `${scoreText(other.value)}, ${other.band}`}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Scores scores={scores} />
    </aside>
  )
}

function Session({ project, iteration, context }: Pick<Props, "project" | "iteration" | "context">) {
  if (iteration.session_id === null) {
    return (
      <section className={styles.part}>
        <h2>Session</h2>
        <p className="mute">The entry names no session.</p>
      </section>
    )
  }
  const session = context?.session
  const search = { session: iteration.session_id, source: iteration.source, rubric: iteration.rubric_version } as never
  return (
    <section className={styles.part}>
      <h2>Session</h2>
      <p>
        <ViewLink to="/projects/$project/iterations" params={{ project }} search={search}>
          <Characters text={iteration.session_id} />
        </ViewLink>
        {session && `: ${countWords(session.iterations.length, "iteration")}`}
        {session && session.n_provisional > 0 && `, ${countText(session.n_provisional)} provisional`}
      </p>
      {session && (
        <Interval
          name={`mean of ${iteration.session_id}`} mean={session.value} interval={session.confidence_interval_95} showNumber
          small={isSmall(session.flags)} notes={notesOf(session.flags)} reasons={session.value === null && session.ci_reason ? { [session.ci_reason]: session.iterations.length } : {}}
        />
      )}
      <Traces project={project} session={iteration.session_id} context={context} />
    </section>
  )
}

function Traces({ project, session, context }: { project: string; session: string; context: IterationContext | undefined }) {
  if (!context) return null
  if (context.trace_count === 0) return <p className="mute">No trace here names this session.</p>
  const words = `${countText(context.trace_count)}${context.trace_count_capped ? " or more" : ""} ${context.trace_count === 1 ? "trace" : "traces"}`
  return (
    <p>
      <Evidence to="/projects/$project/traces" params={{ project }} search={{ "meta.session.id": session, after: "3650d" } as never} behind={words}>
        {words}
      </Evidence>{" "}
      of this session
    </p>
  )
}

/** Scores that people and judges attached; its own are in the breakdown. */
function Scores({ scores }: { scores: readonly Score[] | undefined }) {
  const attached = scores?.filter((score) => score.scorer_name !== "outcome" && !score.scorer_name.startsWith("outcome."))
  return (
    <section className={styles.part}>
      <h2>People and judges</h2>
      {attached?.length === 0 && <p className="mute">Nobody has scored it. <code>gnomon outcome label</code> and <code>POST /v1/scores</code> do.</p>}
      <ul>
        {attached?.map((score) => (
          <li key={score.id}>
            <b>
              <Characters text={score.scorer_name} />
            </b>{" "}
            {typeof score.value === "number" ? scoreText(score.value) : `“${score.value}”`}{" "}
            <span className="mute">
              {score.source} · <Time at={score.created_at} />
            </span>
            {score.rationale && <Text text={score.rationale} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

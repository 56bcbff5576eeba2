import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { SHARE } from "../../address"
import type { Iteration as OneIteration, IterationContext } from "../../api/iterations"
import { iterationContextQuery, iterationQuery, iterationScoresQuery } from "../../api/iterations"
import { asProblem, blocks } from "../../api/problem"
import { useKeys, withKey } from "../../keys"
import { Head } from "../../parts/Head"
import { Share } from "../../parts/Share"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { ViewLink } from "../../parts/ViewLink"
import { Dumbbells } from "../../plots/Dumbbells"
import { useWidth } from "../../plots/useWidth"
import { Waterfall } from "../../plots/Waterfall"
import { useTitle } from "../../title"
import { deltaText, scoreText } from "../../words/format"
import { evidenceSentence, iterationName } from "../../words/iterations"
import { Around } from "./Around"
import { claimRow } from "./claims"
import styles from "./Iteration.module.css"
import { Band } from "./iterationColumns"
import { Signals } from "./Signals"

/** One iteration: how its value comes about, on which evidence, and what was claimed. */
export function Iteration() {
  const { project = "", iteration: id = "" } = useParams({ strict: false })
  const shown = useQuery(iterationQuery(id))
  const context = useQuery({ ...iterationContextQuery(id), enabled: SHARE === undefined })
  const scores = useQuery(iterationScoresQuery(id))
  useTitle(shown.data ? `Iteration ${iterationName(shown.data.iteration)}` : "Iteration")
  const navigate = useNavigate()
  const { previous = null, next = null } = context.data ?? {}
  const go = (to: string): void => void navigate({ to: "/projects/$project/iterations/$iteration", params: { project, iteration: to } })
  useKeys({
    ...(next ? { "item.next": () => go(next.id) } : {}),
    ...(previous ? { "item.previous": () => go(previous.id) } : {}),
  })
  if (blocks(shown)) return <ProblemBox problem={asProblem(shown.error)} onRetry={() => void shown.refetch()} />
  if (!shown.data) return <Loading what="the iteration" rows={10} />
  const iteration = shown.data
  return (
    <div className={styles.page}>
      <Head
        title={<span title={`Iteration ${iteration.iteration}`}>Iteration {iterationName(iteration.iteration)}</span>}
        about={<About iteration={iteration} />}
        actions={
          SHARE === undefined && (
            <>
              <Neighbours project={project} context={context.data} />
              <Share project={project} noun="iteration" />
            </>
          )
        }
      />
      <Verdict iteration={iteration} />
      <div className={styles.layout}>
        <div className={styles.main}>
          <HowItSums iteration={iteration} />
          <Signals iteration={iteration} />
          <Claims iteration={iteration} />
          <WayOfWorking iteration={iteration} />
        </div>
        <Around project={project} iteration={iteration} context={context.data} scores={scores.data?.items} problem={context.error ?? scores.error} />
      </div>
    </div>
  )
}

function About({ iteration }: { iteration: OneIteration }) {
  const facts = [iteration.task_id, iteration.date?.slice(0, 10), iteration.agent, iteration.model, ...(iteration.labels ?? []), ...(iteration.rules_files ?? []), `rubric ${iteration.rubric_version}`]
  return (
    <p>
      <Characters text={facts.filter((fact) => fact !== null && fact !== undefined && fact !== "").join(" · ")} />
    </p>
  )
}

function Neighbours({ project, context }: { project: string; context: IterationContext | undefined }) {
  const sides = [
    ["previous", "← ", "", withKey("Previous iteration", "item.previous")],
    ["next", "", " →", withKey("Next iteration", "item.next")],
  ] as const
  return (
    <nav className={styles.neighbours} aria-label="Iterations beside this one">
      {sides.map(([side, before, after, title]) => {
        const other = context?.[side]
        if (!other) return <span key={side} className="mute">{context ? `none ${side === "next" ? "after" : "before"} it` : ""}</span>
        return (
          <ViewLink key={side} to="/projects/$project/iterations/$iteration" params={{ project, iteration: other.id }} title={`${title}: iteration ${other.iteration}`}>
            {before}
            {iterationName(other.iteration)}
            {other.value !== null && ` (${scoreText(other.value)})`}
            {after}
          </ViewLink>
        )
      })}
      <ViewLink to="/projects/$project/iterations" params={{ project }}>
        All iterations
      </ViewLink>
    </nav>
  )
}

/** The answer first: the value, and what kept it down most. */
function Verdict({ iteration }: { iteration: OneIteration }) {
  const losses = iteration.breakdown
    .filter((row) => row.present && row.effective_weight - row.contribution > 1e-9)
    .sort((a, b) => b.effective_weight - b.contribution - (a.effective_weight - a.contribution))
  const [most, ...others] = losses
  return (
    <section className={styles.verdict} aria-label="In words">
      <p className={styles.value}>
        <b>{iteration.value === null ? "no score" : scoreText(iteration.value)}</b> <Band band={iteration.band} provisional={iteration.provisional} />
      </p>
      <div>
        <p>{evidenceSentence(iteration)}</p>
        {most && (
          <p>
            Lost most by <b><Characters text={most.label || most.signal} /></b> ({deltaText(most.contribution - most.effective_weight)}):{" "}
            <Characters text={most.detail ?? ""} />
            {others.length > 0 && (
              <span className="mute">
                ; then <Characters text={others.slice(0, 2).map((row) => `${row.label || row.signal} (${deltaText(row.contribution - row.effective_weight)})`).join(", ")} />
              </span>
            )}
          </p>
        )}
        {!most && iteration.value !== null && <p>No signal with evidence lost anything.</p>}
      </div>
    </section>
  )
}

function HowItSums({ iteration }: { iteration: OneIteration }) {
  const [box, width] = useWidth<HTMLDivElement>(720, 1000)
  return (
    <section ref={box} className={styles.part} aria-labelledby="sum-head">
      <h2 id="sum-head">How the value comes about</h2>
      <Waterfall
        width={width}
        value={iteration.value}
        signals={iteration.breakdown.map((row) => ({
          name: row.label || row.signal,
          present: row.present,
          contribution: row.contribution,
          effectiveWeight: row.effective_weight,
          nominalWeight: row.nominal_weight,
          subScore: row.sub_score,
          detail: row.detail || null,
        }))}
      />
      <p className="mute">
        Bars laid end to end give the value; an outline is what the signal could have added. The weight of an absent signal goes to the others.
      </p>
    </section>
  )
}

function Claims({ iteration }: { iteration: OneIteration }) {
  const [box, width] = useWidth<HTMLDivElement>(720, 1000)
  return (
    <section ref={box} className={styles.part} aria-labelledby="claims-head">
      <h2 id="claims-head">Claims against facts</h2>
      {iteration.integrity.length === 0 ? (
        <p className="mute">Nobody claimed anything about this iteration.</p>
      ) : (
        <>
          <Dumbbells width={width} rows={iteration.integrity.map((claim) => claimRow(claim, `${claim.role}: ${claim.signal}`, `${claim.role} ${claim.signal}`))} />
          <p className="mute">A claim counts only where no fact is known. A gap never moves the value.</p>
        </>
      )}
    </section>
  )
}

function WayOfWorking({ iteration }: { iteration: OneIteration }) {
  const rows = Object.entries(iteration.objectives)
  if (rows.length === 0) return null
  return (
    <section className={styles.part} aria-labelledby="way-head">
      <h2 id="way-head">Way of working</h2>
      <dl className={styles.facts}>
        {rows.map(([name, seen]) => (
          <div key={name}>
            <dt>
              <Characters text={name.replaceAll("_", " ")} />
            </dt>
            <dd>
              {seen.present ? (seen.sub_score >= 0.5 ? "✓ yes" : "✕ no") : "not known"}
              {seen.detail && (
                <span className="mute">
                  : <Characters text={seen.detail} />
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mute">Facts beside the value, which they never move.</p>
    </section>
  )
}

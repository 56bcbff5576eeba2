import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useState } from "react"
import type { Dashboard as Data, Window } from "../../api/dashboard"
import { dashboardQuery, traceTrendsQuery, trendsQuery } from "../../api/dashboard"
import { asProblem, blocks } from "../../api/problem"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { instantOf } from "../../parts/timeRange"
import { dashboardSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { Attention } from "./Attention"
import { Begin } from "./Begin"
import css from "./Dashboard.module.css"
import { Figures } from "./Figures"
import { Holdings } from "./Holdings"
import { LastCompleted } from "./LastCompleted"
import { ScoreTrends } from "./ScoreTrends"
import { TraceSteps } from "./TraceSteps"
import { bucketOf, windowWords } from "./trends"

const WINDOWS: { value: Window; label: string }[] = [
  { value: "24h", label: "24 h" },
  { value: "7d", label: "7 d" },
  { value: "30d", label: "30 d" },
]

/** A project at a glance: what came in, what was measured last, how it moved, and what needs a look. */
export function Dashboard() {
  const { project = "" } = useParams({ strict: false })
  const [state, change] = useViewState(dashboardSearch)
  const [now] = useState(() => Date.now())
  const window = state.window ?? "24h"
  const main = useQuery(dashboardQuery(project, window))
  const trends = useQuery(trendsQuery(project))
  const traces = useQuery(traceTrendsQuery(project, bucketOf(window), instantOf(window, now)))
  useTitle("Dashboard", main.data?.project.name)
  if (blocks(main)) return <ProblemBox problem={asProblem(main.error)} onRetry={() => void main.refetch()} />
  if (!main.data) return <Loading what="the dashboard" rows={14} />
  const data = main.data
  return (
    <div className={css.page} aria-busy={main.isPlaceholderData}>
      <div className={css.head}>
        <h1>
          <Characters text={data.project.name} />
        </h1>
        <div role="group" aria-label="Traces of the last" className={css.windows}>
          {WINDOWS.map(({ value, label }) => (
            <button key={value} type="button" aria-pressed={value === window} onClick={() => change({ window: value })}>
              {label}
            </button>
          ))}
        </div>
      </div>
      <Figures project={project} data={data} />
      {isEmpty(data) && <Begin project={project} window={windowWords(window)} />}
      <Attention project={project} data={data} />
      {data.last_completed && <LastCompleted project={project} last={data.last_completed} />}
      {blocks(trends) ? (
        <ProblemBox problem={asProblem(trends.error)} onRetry={() => void trends.refetch()} />
      ) : (
        <ScoreTrends project={project} trends={trends.data} datasets={data.datasets} />
      )}
      {blocks(traces) ? (
        <ProblemBox problem={asProblem(traces.error)} onRetry={() => void traces.refetch()} />
      ) : (
        data.traces.count > 0 && <TraceSteps project={project} trends={traces.data} />
      )}
      {!isEmpty(data) && <Holdings project={project} data={data} />}
    </div>
  )
}

function isEmpty({ traces, experiments, datasets }: Data): boolean {
  const measured = experiments.created_count + experiments.running_count + experiments.completed_count
  return traces.count === 0 && measured === 0 && datasets.length === 0
}

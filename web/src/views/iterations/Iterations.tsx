import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import type { IterationPoint, IterationTrend } from "../../api/iterations"
import { iterationFacetsQuery, SHOWN, trendQuery } from "../../api/iterations"
import { asProblem, blocks } from "../../api/problem"
import type { Removable } from "../../parts/Empty"
import { NothingMatches, NothingYet } from "../../parts/Empty"
import { Filters, SelectFilter } from "../../parts/Filters"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { useWidth } from "../../plots/useWidth"
import { evidenceChanges } from "../../plots/values"
import { ValuesOverTime } from "../../plots/ValuesOverTime"
import { iterationsSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText, countWords } from "../../words/format"
import { IterationCounts } from "./IterationCounts"
import { iterationColumns, sorted } from "./iterationColumns"
import styles from "./Iterations.module.css"
import { NoVerdicts } from "./NoVerdicts"
import { Places } from "./Places"
import { groupChips, groupFilter, iterationHref, NO_GROUP, pushCommand, sessionHref } from "./places"

/** What each iteration of a coding agent was worth, over time. */
export function Iterations() {
  useTitle("Iterations")
  const { project = "" } = useParams({ strict: false })
  const [state, change] = useViewState(iterationsSearch)
  const only = { ...groupFilter(project, state), band: state.band }
  const provisional = state.provisional === undefined ? undefined : state.provisional ? "true" as const : "false" as const
  const trend = useQuery(trendQuery({ ...only, provisional, before: state.before }))
  const facets = useQuery(iterationFacetsQuery(only))
  const navigate = useNavigate()
  const chips: Removable[] = [
    ...groupChips(state, change),
    ...(state.band === undefined ? [] : [{ id: "band", label: `band ${state.band}`, remove: () => change({ band: undefined }) }]),
    ...(state.provisional === undefined ? [] : [{ id: "provisional", label: state.provisional ? "provisional" : "verdicts only", remove: () => change({ provisional: undefined }) }]),
    ...(state.before === undefined ? [] : [{ id: "before", label: `before iteration ${state.before}`, remove: () => change({ before: undefined }) }]),
  ]
  const clear = (): void => change({ ...NO_GROUP, band: undefined, provisional: undefined, before: undefined })
  const shown = trend.data
  const open = (id: string): void => void navigate({ to: "/projects/$project/iterations/$iteration", params: { project, iteration: id } })
  if (blocks(trend)) return <ProblemBox problem={asProblem(trend.error)} onRetry={() => void trend.refetch()} />
  if (!shown) return <Loading what="the iterations" rows={12} />
  return (
    <div className={styles.page}>
      <Head title="Iterations" about={<About trend={shown} />} actions={<Places project={project} />} />
      {shown.sources.length === 0 ? (
        <NoIterations project={project} />
      ) : (
        <>
          <Filters label="Filter the iterations" active={chips} onClear={clear}>
            <SelectFilter label="Source" any={shown.source ?? "the last pushed"} value={state.source} options={choices(shown.sources)} onChange={(source) => change({ source, before: undefined })} />
            <SelectFilter label="Rubric" any={shown.rubric_version ?? "the newest"} value={state.rubric} options={choices(shown.rubric_versions)} onChange={(rubric) => change({ rubric })} />
          </Filters>
          {shown.iterations.length === 0 ? (
            <NothingMatches what="iterations" filters={chips} onClear={clear} />
          ) : (
            <div className={styles.layout}>
              {facets.data ? <IterationCounts facets={facets.data} state={state} onChange={(patch) => change({ ...patch, before: undefined })} /> : <div aria-hidden="true" />}
              <div className={styles.column} aria-busy={trend.isPlaceholderData}>
                {shown.iterations.every((point) => point.value === null || point.provisional) && state.band === undefined && state.provisional === undefined && (
                  <NoVerdicts>{verdictless(shown.iterations)}</NoVerdicts>
                )}
                <Plot trend={shown} project={project} onPoint={open} onSession={(session) => change({ session })} />
                {(shown.has_older || state.before !== undefined) && (
                  <div className={styles.buttons}>
                    <button type="button" disabled={!shown.has_older} onClick={() => change({ before: shown.iterations[0]?.iteration })}>
                      Older {countText(SHOWN)}
                    </button>
                    <button type="button" disabled={state.before === undefined} onClick={() => change({ before: undefined })}>
                      Newest
                    </button>
                  </div>
                )}
                <Table<IterationPoint>
                  label="Iterations"
                  rows={sorted(shown.iterations, state.sort)}
                  rowKey={(row) => row.id}
                  columns={iterationColumns(project, shown.iterations)}
                  sort={state.sort ?? "-iteration"}
                  onSort={(sort) => change({ sort: sort as never })}
                  onOpen={(row) => open(row.id)}
                  busy={trend.isPlaceholderData}
                />
              </div>
            </div>
          )}
        </>
      )}
    </div>
  )
}

/** Why none of these iterations has a verdict. */
function verdictless(points: readonly IterationPoint[]): string {
  const why = points.findLast((point) => point.why_provisional)?.why_provisional
  return why ? `None of these iterations has a verdict; the last one is provisional: ${why}.` : "None of these iterations has a verdict."
}

function choices(values: readonly string[]): { value: string; label: string }[] {
  return values.map((value) => ({ value, label: value }))
}

function About({ trend }: { trend: IterationTrend }) {
  if (trend.source === null) return null
  const part = trend.iterations.length < trend.total ? `${countText(trend.iterations.length)} of ${countWords(trend.total, "iteration")}` : countWords(trend.total, "iteration")
  return <p role="status">{`${part} of ${trend.source}, by rubric ${trend.rubric_version}`}</p>
}

interface PlotProps {
  trend: IterationTrend
  project: string
  onPoint: (id: string) => void
  onSession: (session: string) => void
}

function Plot({ trend, project, onPoint, onSession }: PlotProps) {
  const [box, width] = useWidth<HTMLDivElement>(860, 1400)
  return (
    <section ref={box} aria-label="Value over time" className={styles.plot}>
      <ValuesOverTime
        points={trend.iterations}
        sessions={trend.sessions}
        width={width}
        openPoint={(point) => ({ href: iterationHref(project, point.id), onOpen: () => onPoint(point.id) })}
        openSession={(session) => ({ href: sessionHref(project, session), onOpen: () => onSession(session) })}
      />
      <p className={styles.legend}>
        <span>◆ excellent</span> <span>● good</span> <span>■ fair</span> <span>▼ poor</span> <span>○ no score</span>
        <span>filled as far as there was evidence</span>
        {trend.iterations.some((point) => point.provisional) && <span>dashed and grey: provisional, in no mean</span>}
        {evidenceChanges(trend.iterations).length > 0 && <span>▾ other facts from here on</span>}
      </p>
    </section>
  )
}

function NoIterations({ project }: { project: string }) {
  return (
    <NothingYet title="No iterations yet" command={pushCommand(project)}>
      An iteration is one piece of a coding agent's work. In the repository that it works on, these commands score each one from git, transcripts and
      the agent's log, and send the scores here.
    </NothingYet>
  )
}

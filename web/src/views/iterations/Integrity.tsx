import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import type { RoleHonesty } from "../../api/iterations"
import { claimsQuery, honestyQuery, iterationFacetsQuery } from "../../api/iterations"
import { asProblem, blocks } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { NothingMatches, NothingYet } from "../../parts/Empty"
import { Filters, SelectFilter, ToggleFilter } from "../../parts/Filters"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Dumbbells } from "../../plots/Dumbbells"
import { useWidth } from "../../plots/useWidth"
import { integritySearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countWords } from "../../words/format"
import { iterationName } from "../../words/iterations"
import { claimName, claimRow, differs } from "./claims"
import { Gaps } from "./Gaps"
import styles from "./Iterations.module.css"
import { Places } from "./Places"
import { groupChips, groupFilter, iterationHref, NO_GROUP, pushCommand } from "./places"

/** What roles claimed against what was observed, over all iterations. */
export function Integrity() {
  useTitle("Claims against facts")
  const { project = "" } = useParams({ strict: false })
  const [state, change] = useViewState(integritySearch)
  const only = groupFilter(project, state)
  const honesty = useQuery(honestyQuery(only))
  const facets = useQuery(iterationFacetsQuery(only))
  const chips = groupChips(state, change)
  if (blocks(honesty)) return <ProblemBox problem={asProblem(honesty.error)} onRetry={() => void honesty.refetch()} />
  if (!honesty.data) return <Loading what="claims and facts" rows={8} />
  const { roles, n_iterations: count, rubric_version: rubric } = honesty.data
  const chosen = roles.find((row) => claimName(row) === state.claim) ?? mostOverclaimed(roles)
  return (
    <div className={styles.page}>
      <Head
        title="Claims against facts"
        about={<p role="status">{rubric === null ? "no iterations" : `${countWords(count, "iteration")} by rubric ${rubric}; a gap never moves a value`}</p>}
        actions={<Places project={project} />}
      />
      <Filters label="Filter the iterations" active={chips} onClear={() => change(NO_GROUP)}>
        <SelectFilter label="Agent" value={state.agent} options={choices(facets.data?.agents)} onChange={(agent) => change({ agent })} />
        <SelectFilter label="Model" value={state.model} options={choices(facets.data?.models)} onChange={(model) => change({ model })} />
        <SelectFilter label="Label" value={state.label} options={choices(facets.data?.labels)} onChange={(label) => change({ label })} />
        <SelectFilter label="Source" value={state.source} options={choices(facets.data?.sources)} onChange={(source) => change({ source })} />
      </Filters>
      {roles.length === 0 ? (
        chips.length > 0 ? <NothingMatches what="claims" filters={chips} onClear={() => change(NO_GROUP)} /> : <NoClaims project={project} />
      ) : (
        <>
          <Gaps roles={roles} onOpen={(claim) => change({ claim })} />
          {roles.some((row) => row.n > 0) && <Each project={project} filter={{ ...only, rubric_version: rubric ?? undefined }} roles={roles} chosen={chosen} all={state.all === true} change={change} />}
        </>
      )}
    </div>
  )
}

function choices(values: readonly { value: string; count: number }[] | undefined): { value: string; label: string }[] {
  return (values ?? []).map(({ value, count }) => ({ value, label: `${value} (${count})` }))
}

/** Where most was claimed too much; the first where nothing was. */
function mostOverclaimed(roles: readonly RoleHonesty[]): RoleHonesty | undefined {
  return [...roles].sort((a, b) => b.overclaimed - a.overclaimed)[0]
}

interface EachProps {
  project: string
  filter: ReturnType<typeof groupFilter>
  roles: readonly RoleHonesty[]
  chosen: RoleHonesty | undefined
  all: boolean
  change: (patch: { claim?: string | undefined; all?: boolean | undefined }) => void
}

/** One dumbbell per iteration, for one role and signal. */
function Each({ project, filter, roles, chosen, all, change }: EachProps) {
  const navigate = useNavigate()
  const [box, width] = useWidth<HTMLDivElement>(860)
  const list = useInfiniteQuery(claimsQuery(filter, true))
  const iterations = rowsOf(list.data)
  const rows = (iterations ?? []).flatMap((iteration) =>
    iteration.integrity
      .filter((claim) => claim.role === chosen?.role && claim.signal === chosen.signal && (all || differs(claim)))
      .map((claim) => ({
        ...claimRow(claim, `${iterationName(iteration.iteration)}${iteration.task_id ? ` · ${iteration.task_id}` : ""}`, iteration.id),
        href: iterationHref(project, iteration.id),
        onOpen: () => void navigate({ to: "/projects/$project/iterations/$iteration", params: { project, iteration: iteration.id } }),
      })),
  )
  return (
    <section ref={box} className={styles.part} aria-labelledby="each-head">
      <h2 id="each-head">Iteration by iteration: {chosen && claimName(chosen)}</h2>
      <div className={styles.buttons}>
        <SelectFilter
          label="Claim" any="most often too much" value={chosen && claimName(chosen)}
          options={roles.map((row) => ({ value: claimName(row), label: `${claimName(row)} (${row.overclaimed} of ${row.n} too much)` }))}
          onChange={(claim) => change({ claim })}
        />
        <ToggleFilter label="Also where claim and fact agree" on={all} onChange={(on) => change({ all: on || undefined })} />
      </div>
      {list.error && <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />}
      {!iterations && !list.error && <Loading what="the claims" rows={6} />}
      {iterations && rows.length === 0 && <p className="mute">In the newest {countWords(iterations.length, "iteration")}, no claim differs from the fact.</p>}
      {rows.length > 0 && <Dumbbells rows={rows} width={width} />}
      {list.hasNextPage && (
        <div className={styles.buttons}>
          <button type="button" onClick={() => void list.fetchNextPage()} disabled={list.isFetchingNextPage}>
            Look at older iterations
          </button>
          <span className="mute">The newest {iterations?.length} were looked at.</span>
        </div>
      )}
    </section>
  )
}

function NoClaims({ project }: { project: string }) {
  return (
    <NothingYet title="No claims yet" command={pushCommand(project)}>
      Iterations whose log says what the agent claims (tests passed, on target, landed) are compared here with what git, transcripts and CI show.
    </NothingYet>
  )
}

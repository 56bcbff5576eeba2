import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import type { GroupBy, IterationComparison } from "../../api/iterations"
import { iterationComparisonQuery, iterationFacetsQuery } from "../../api/iterations"
import { asProblem, blocks } from "../../api/problem"
import { useKeys, withKey } from "../../keys"
import { SelectFilter } from "../../parts/Filters"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { iterationCompareSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countWords, serverWords } from "../../words/format"
import { verdictWords } from "../../words/verdicts"
import { GroupPlots } from "./GroupPlots"
import { endsOf, groupsOf, kindsOf, periodOf, signalName } from "./groupQuestion"
import { LeftOut } from "./LeftOut"
import styles from "./IterationGroups.module.css"
import { NoVerdicts } from "./NoVerdicts"
import { Places } from "./Places"

const EFFECTS = ["0.02", "0.05", "0.1", "0.2"].map((value) => ({ value, label: value }))

/** Two ways of working compared: verdicts in words, then the plots, then what was left out. */
export function IterationGroups() {
  const { project = "" } = useParams({ strict: false })
  const [state, change] = useViewState(iterationCompareSearch)
  const facets = useQuery(iterationFacetsQuery({ project_id: project, source: state.source, rubric_version: state.rubric }))
  const kinds = kindsOf(facets.data)
  const by = state.by ?? kinds[0]?.value ?? "period"
  const groups = groupsOf(facets.data, by)
  const pair = by === "period" ? { a: state.a, b: state.b } : { a: state.a ?? groups[1]?.value, b: state.b ?? groups[0]?.value }
  const isPair = pair.a !== undefined && pair.b !== undefined && pair.a !== pair.b
  const question = {
    project_id: project, by: by as GroupBy, ...pair, source: state.source, rubric_version: state.rubric,
    cluster_by: state.cluster, min_effect: state.effect,
  }
  const comparison = useQuery(iterationComparisonQuery(question, facets.data !== undefined && isPair))
  useTitle(isPair ? `${pair.b} against ${pair.a}` : "Compare groups of iterations")
  const swap = (): void => change({ by, a: pair.b, b: pair.a })
  useKeys({ "compare.swap": swap }, { on: isPair })
  if (blocks(facets)) return <ProblemBox problem={asProblem(facets.error)} onRetry={() => void facets.refetch()} />
  if (!facets.data) return <Loading what="the groups" rows={8} />
  const options = groups.map(({ value, count }) => ({ value, label: `${value} (${count})` }))
  return (
    <div className={styles.page}>
      <Head
        title={isPair ? <Characters text={`${pair.b} against ${pair.a}`} /> : "Compare groups of iterations"}
        about="Two ways of working, by the means of their iterations; sessions are what varies"
        actions={<Places project={project} />}
      />
      <div className={styles.controls} role="group" aria-label="What is compared">
        <SelectFilter label="By" any={kinds.find((kind) => kind.value === by)?.label ?? by} value={state.by} options={kinds} onChange={(value) => change({ by: value, a: undefined, b: undefined })} />
        {by === "period" ? (
          <>
            <Period label="Base" value={state.a} onChange={(a) => change({ by, a })} />
            <Period label="Compared" value={state.b} onChange={(b) => change({ by, b })} />
          </>
        ) : (
          <>
            <SelectFilter label="Base" any={pair.a ?? "none"} value={state.a} options={options} onChange={(a) => change({ by, a })} />
            <SelectFilter label="Compared" any={pair.b ?? "none"} value={state.b} options={options} onChange={(b) => change({ by, b })} />
          </>
        )}
        <SelectFilter label="Too small to matter below" any="not said" value={state.effect === undefined ? undefined : String(state.effect)} options={EFFECTS} onChange={(effect) => change({ effect: effect === undefined ? undefined : Number(effect) })} />
        <SelectFilter label="What varies" any={by === "session" ? "tasks" : "sessions"} value={state.cluster} options={[{ value: "session", label: "sessions" }, { value: "task", label: "tasks" }]} onChange={(cluster) => change({ cluster })} />
        {isPair && (
          <button type="button" onClick={swap} title={withKey("Swap base and compared", "compare.swap")}>
            Swap
          </button>
        )}
      </div>
      {!isPair && (
        <p role="status">
          {by === "period" ? "Choose the first and the last day of two periods." : "Choose two different groups."}
          {kinds.length === 1 && (
            <>
              {" "}
              These iterations name no second agent, model, rules file, label, session or rubric; <code>gnomon outcome push --label NAME</code> gives
              them a label to compare by.
            </>
          )}
        </p>
      )}
      {isPair && comparison.error && <ProblemBox problem={asProblem(comparison.error)} onRetry={() => void comparison.refetch()} />}
      {isPair && !comparison.error && !comparison.data && <Loading what="the comparison" rows={8} />}
      {isPair && !comparison.error && comparison.data && (
        <div className={styles.page} aria-busy={comparison.isPlaceholderData}>
          <Verdicts shown={comparison.data} />
          <GroupPlots shown={comparison.data} effect={state.effect ?? null} />
          <LeftOut shown={comparison.data} project={project} state={state} by={by} />
        </div>
      )}
    </div>
  )
}

function Period({ label, value, onChange }: { label: string; value: string | undefined; onChange: (value: string | undefined) => void }) {
  const [from, to] = endsOf(value)
  return (
    <div className={styles.period} role="group" aria-label={label}>
      <label>
        {label} from
        <input type="date" value={from} onChange={(event) => onChange(periodOf(event.target.value, to))} />
      </label>
      <label>
        to
        <input type="date" value={to} onChange={(event) => onChange(periodOf(from, event.target.value))} />
      </label>
    </div>
  )
}

/** The answer first, in words: the total, and then what it comes from. */
function Verdicts({ shown }: { shown: IterationComparison }) {
  const [total, ...others] = shown.scorer_comparisons
  if (!total) {
    return (
      <section aria-label="Verdicts">
        <NoVerdicts>Neither group has a verdict to compare: all of their iterations are provisional, or without a score.</NoVerdicts>
      </section>
    )
  }
  return (
    <section aria-label="Verdicts" className={styles.part}>
      <ul className={styles.verdicts}>
        {[total, ...others].map((row, index) => {
          const spoken = verdictWords(row.verdict)
          return (
            <li key={row.scorer_name} data-tone={spoken.tone} data-main={index === 0 || undefined}>
              <span className={styles.shape} aria-hidden="true">
                {spoken.shape}
              </span>
              <span>
                <b>
                  <Characters text={signalName(row.scorer_name)} />
                </b>{" "}
                <Characters text={serverWords(row.words)} />
                {index === 0 && (
                  <span className="mute">
                    , {countWords(row.base.clusters, shown.cluster_by)} against {countWords(row.compare.clusters, shown.cluster_by)}
                  </span>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

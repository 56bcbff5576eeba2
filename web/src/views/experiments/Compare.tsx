import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import type { Comparison, ScorerComparison } from "../../api/experiments"
import { comparedItemsQuery, comparisonQuery, pointsQuery } from "../../api/experiments"
import { asProblem, blocks } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { useKeys, withKey } from "../../keys"
import { SelectFilter } from "../../parts/Filters"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Share } from "../../parts/Share"
import { Characters } from "../../parts/Text"
import { ViewLink } from "../../parts/ViewLink"
import { PairedDelta } from "../../plots/PairedDelta"
import { useWidth } from "../../plots/useWidth"
import { compareSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countWords, serverWords } from "../../words/format"
import { isSmall, methodWords, notesOf } from "../../words/methods"
import { byVerdict, verdictWords } from "../../words/verdicts"
import styles from "./Compare.module.css"
import { ItemPlots } from "./ItemPlots"
import { Items } from "./Items"
import type { Names } from "./names"

const EFFECTS = ["0.01", "0.02", "0.05", "0.1"].map((value) => ({ value, label: value }))

/** Two experiments over the same items: verdicts in words, then every item. */
export function Compare() {
  const { project = "", base = "", candidate = "" } = useParams({ strict: false })
  const [state, change] = useViewState(compareSearch)
  const comparison = useQuery(comparisonQuery(base, candidate, { missing: state.missing, min_effect: state.effect }))
  const names = { baseId: base, candidateId: candidate, base: comparison.data?.base_name, candidate: comparison.data?.compare_name }
  useTitle(names.base && names.candidate ? `${names.candidate} against ${names.base}` : "Compare")
  const rows = byVerdict((comparison.data?.scorer_comparisons ?? []).map((one) => ({ ...one, name: one.scorer_name, p: one.p_value_adjusted })))
  const scorer = rows.some((row) => row.name === state.scorer) ? state.scorer : (rows.find((row) => row.paired_delta !== null) ?? rows[0])?.name
  const points = useQuery(pointsQuery(base, candidate, scorer, state.missing))
  const filter = { scorer_name: scorer, show: state.show, sort: orderOf(state.sort), missing: state.missing }
  const items = useInfiniteQuery(comparedItemsQuery(base, candidate, withoutUndefined(filter), scorer !== undefined))
  const navigate = useNavigate()
  const swap = (): void => {
    // The place stays: the same scorer and item, seen from the other side.
    void navigate({
      to: "/projects/$project/compare/$base/$candidate",
      params: { project, base: candidate, candidate: base },
      search: { ...state, show: swapped(state.show) } as never,
    })
  }
  useKeys({ "compare.swap": swap, "plot.zoom": () => change({ zoom: state.zoom ? undefined : true }) })
  if (blocks(comparison)) return <ProblemBox problem={asProblem(comparison.error)} onRetry={() => void comparison.refetch()} />
  if (!comparison.data) return <Loading what="the comparison" rows={12} />
  const chosen = comparison.data.scorer_comparisons.find((row) => row.scorer_name === scorer)
  return (
    <div className={styles.page}>
      <Head project={project} base={base} candidate={candidate} names={names} onSwap={swap} />
      <Verdicts rows={rows} />
      <div className={styles.controls}>
        <SelectFilter label="Too small to matter below" any="not said" value={state.effect === undefined ? undefined : String(state.effect)} options={EFFECTS} onChange={(effect) => change({ effect: effect === undefined ? undefined : Number(effect) })} />
        <SelectFilter
          label="Missing scores"
          any="left out"
          value={state.missing === "drop" ? undefined : state.missing}
          options={[{ value: "zero", label: "count as 0" }, { value: "bracket", label: "worst and best case" }]}
          onChange={(missing) => change({ missing })}
        />
      </div>
      <Deltas rows={comparison.data.scorer_comparisons} effect={state.effect ?? null} onOpen={(name) => change({ scorer: name, item: undefined })} />
      {chosen !== undefined && (
        <section className={styles.items} aria-labelledby="items-head">
          <h2 id="items-head">
            Items by <Characters text={chosen.scorer_name} />
          </h2>
          {rows.length > 1 && (
            <div className={styles.controls}>
              <SelectFilter label="Scorer" value={scorer} options={rows.map(({ name }) => ({ value: name, label: name }))} any="the first" onChange={(name) => change({ scorer: name, item: undefined })} />
            </div>
          )}
          {points.error && <ProblemBox problem={asProblem(points.error)} />}
          {points.data && <ItemPlots points={points.data} names={names} zoom={state.zoom === true} onOpen={(item) => change({ item })} />}
          <Items
            project={project}
            counts={points.data?.counts}
            names={names}
            rows={rowsOf(items.data)}
            busy={items.isPlaceholderData}
            more={{ has: items.hasNextPage, loading: items.isFetchingNextPage, load: () => void items.fetchNextPage(), size: 50 }}
            problem={items.error ? asProblem(items.error) : null}
            state={state}
            change={change}
          />
        </section>
      )}
    </div>
  )
}

function Head({ project, base, candidate, names, onSwap }: { project: string; base: string; candidate: string; names: Names; onSwap: () => void }) {
  return (
    <header className={styles.head}>
      <h1>
        <ViewLink to="/projects/$project/experiments/$experiment" params={{ project, experiment: candidate }}>
          <Characters text={names.candidate ?? "candidate"} />
        </ViewLink>{" "}
        against{" "}
        <ViewLink to="/projects/$project/experiments/$experiment" params={{ project, experiment: base }}>
          <Characters text={names.base ?? "base"} />
        </ViewLink>
      </h1>
      <div className={styles.buttons}>
        <button type="button" onClick={onSwap} title={withKey("Swap base and candidate", "compare.swap")}>
          Swap
        </button>
        <Share project={project} noun="comparison" />
      </div>
    </header>
  )
}

/** The answer first, in words. */
function Verdicts({ rows }: { rows: readonly ScorerComparison[] }) {
  if (rows.length === 0) return <p>The two have no scorer in common, so there is nothing to compare.</p>
  return (
    <ul className={styles.verdicts}>
      {rows.map((row) => {
        const spoken = verdictWords(row.verdict)
        return (
          <li key={row.scorer_name} data-tone={spoken.tone}>
            <span className={styles.shape} aria-hidden="true">
              {spoken.shape}
            </span>
            <span>
              <b>
                <Characters text={row.scorer_name} />
              </b>{" "}
              <Characters text={serverWords(row.words)} />
              <span className="mute">
                , {countWords(row.paired_count, "pair")}
                {row.more_items !== null && `; about ${countWords(row.more_items, "more item")} would probably decide it`}
              </span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function Deltas({ rows, effect, onOpen }: { rows: Comparison["scorer_comparisons"]; effect: number | null; onOpen: (name: string) => void }) {
  const numeric = rows.filter((row) => row.paired_delta !== null)
  const [box, width] = useWidth<HTMLDivElement>(860)
  if (numeric.length === 0) return <p className="mute">These scorers give labels; what changed is listed below.</p>
  return (
    <div ref={box}>
    <PairedDelta
      minEffect={effect}
      width={width}
      rows={numeric.map((row) => ({
        id: row.scorer_name,
        name: row.scorer_name,
        verdict: row.verdict,
        delta: row.paired_delta,
        interval: row.delta_ci_95,
        p: row.p_value_adjusted,
        rawP: row.p_value,
        pairs: row.paired_count,
        method: methodWords(row.ci_method, { items: row.paired_count }),
        notes: notesOf(row.flags),
        small: isSmall(row.flags),
        moreItems: row.more_items,
        onOpen: () => onOpen(row.scorer_name),
      }))}
    />
    </div>
  )
}

const MIRRORED: Record<string, string> = { regressed: "improved", improved: "regressed", only_base: "only_other", only_other: "only_base" }

/** The same items, seen from the other side. */
function swapped(show: string | undefined): string | undefined {
  return show === undefined ? undefined : (MIRRORED[show] ?? show)
}

/** Regressions first unless another order was chosen. */
export function orderOf(sort: string | undefined): string {
  return sort === "-delta" || sort === "item" ? sort : sort === "-item" ? "item" : "delta"
}

function withoutUndefined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<string, string>
}

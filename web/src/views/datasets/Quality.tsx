import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Dataset, DatasetQuality, ItemQuality } from "../../api/datasets"
import { datasetScorersQuery, qualityQuery } from "../../api/datasets"
import { asProblem } from "../../api/problem"
import { NothingMatches, NothingYet } from "../../parts/Empty"
import { Filters, SelectFilter, ToggleFilter } from "../../parts/Filters"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Interval } from "../../plots/Interval"
import { countText, countWords, deltaText, intervalText, scoreText, serverWords } from "../../words/format"
import { BarField } from "./BarField"
import styles from "./Datasets.module.css"
import type { PanelProps } from "./ItemPanel"
import { ItemPanel } from "./ItemPanel"
import type { Change, State } from "./Items"

const MOST = 200
const ALL = 1000
const SORTS = [
  { value: "easiest", label: "easiest first" },
  { value: "telling", label: "most telling first" },
  { value: "misleading", label: "misleading first" },
] as const

interface Props {
  dataset: Dataset
  state: State
  change: Change
  panel: PanelProps
}

/** How hard each item is and how well it tells good experiments from weak ones. */
export function Quality({ dataset, state, change, panel }: Props) {
  const scorers = useQuery(datasetScorersQuery(dataset.project_id, dataset.id))
  const [most, setMost] = useState(MOST)
  const scorer = state.scorer ?? scorers.data?.[0]
  const filter = { pass_threshold: state.bar, sort: state.sort === "hardest" ? undefined : state.sort, solved: state.solved, most }
  const quality = useQuery(qualityQuery(dataset.id, scorer, filter))
  const problem = scorers.error ?? quality.error
  if (scorers.data?.length === 0 && state.scorer === undefined) return <NoNumbers />
  const clear = (): void => change({ solved: undefined, bar: undefined })
  const chips = [
    ...(state.solved === undefined ? [] : [{ id: "solved", label: `${state.solved} solved`, remove: () => change({ solved: undefined }) }]),
    ...(state.bar === undefined ? [] : [{ id: "bar", label: `solved from ${scoreText(state.bar, 2)}`, remove: () => change({ bar: undefined }) }]),
  ]
  const data = quality.data
  const solvedLabel = (which: "never" | "always"): string => {
    const count = which === "never" ? data?.never_solved_count : data?.always_solved_count
    return `${which === "never" ? "Never" : "Always"} solved${count === undefined ? "" : ` (${countText(count)})`}`
  }
  return (
    <div className={styles.part}>
      <Filters label="Filter the items by quality" active={chips} onClear={clear}>
        <SelectFilter
          label="Scorer"
          any={scorers.data?.[0] ?? "first"}
          value={state.scorer === scorers.data?.[0] ? undefined : state.scorer}
          options={(scorers.data ?? []).slice(1).map((name) => ({ value: name, label: name }))}
          onChange={(name) => change({ scorer: name, item: undefined })}
        />
        <SelectFilter label="Order" any="hardest first" value={filter.sort} options={SORTS} onChange={(sort) => change({ sort })} />
        <BarField value={state.bar} onChange={(bar) => change({ bar })} />
        {(["never", "always"] as const).map((which) => (
          <ToggleFilter key={which} label={solvedLabel(which)} on={state.solved === which} onChange={(on) => change({ solved: on ? which : undefined })} />
        ))}
      </Filters>
      {problem ? (
        <ProblemBox problem={asProblem(problem)} onRetry={() => void quality.refetch()} />
      ) : !data ? (
        <Loading what="the quality of the items" rows={8} />
      ) : (
        <>
          <About quality={data} />
          {data.items.length === 0 ? (
            <NothingMatches what="items" filters={chips} onClear={clear} />
          ) : (
            <Table
              label="Items by quality"
              rows={data.items}
              rowKey={(item) => item.item_id}
              columns={columnsOf(data)}
              onOpen={(item) => change({ item: state.item === item.item_id ? undefined : item.item_id })}
              openKey={state.item}
              detail={(item) => <ItemPanel dataset={dataset.id} id={item.item_id} {...panel} />}
              busy={quality.isPlaceholderData}
            />
          )}
          <Rest quality={data} solved={state.solved} most={most} onAll={() => setMost(ALL)} />
        </>
      )}
    </div>
  )
}

function About({ quality }: { quality: DatasetQuality }) {
  const unscored = quality.item_count - quality.scored_item_count
  return (
    <p className="mute" role="status">
      {countText(quality.scored_item_count)} of {countWords(quality.item_count, "item")} of version {countText(quality.version)}, by{" "}
      <Characters text={quality.scorer_name} /> in {countWords(quality.experiments, "experiment")}
      {unscored > 0 && `; ${countWords(unscored, "item")} without a score`}.{" "}
      {quality.notes.map((note) => `${serverWords(note)}. `)}
    </p>
  )
}

/** What is not listed is said. */
function Rest({ quality, solved, most, onAll }: { quality: DatasetQuality; solved: State["solved"]; most: number; onAll: () => void }) {
  const all = solved === "never" ? quality.never_solved_count : solved === "always" ? quality.always_solved_count : quality.scored_item_count
  if (all <= quality.items.length) return null
  return (
    <p>
      The first {countText(quality.items.length)} of {countText(all)}.{" "}
      {most < ALL && (
        <button type="button" onClick={onAll}>
          Show up to {countText(ALL)}
        </button>
      )}
    </p>
  )
}

function columnsOf(quality: DatasetQuality): Column<ItemQuality>[] {
  return [
    { id: "input", head: "Input", width: 150, grow: 3, cell: (item) => <Characters text={(item.input ?? item.key ?? item.item_id).slice(0, 160)} /> },
    { id: "solved", head: "Solved", width: 80, title: "Whether scores on it reached the bar", cell: solvedOf },
    {
      id: "hard",
      head: "How hard: mean score",
      width: 260,
      title: "Mean of the experiments' means on it with its 95 % interval; 1 is easiest",
      cell: (item) => <Mean item={item} quality={quality} />,
    },
    {
      id: "telling",
      head: "How telling",
      width: 96,
      align: "end",
      title: "Correlation of the experiments' means on it with their means over all other items: near 1 it tells good from weak, below 0 the weak ones do better on it",
      cell: (item) => <Telling item={item} />,
    },
    { id: "experiments", head: "Experiments", width: 92, align: "end", cell: (item) => countText(item.experiments) },
    { id: "n", head: "Scores", width: 64, align: "end", cell: (item) => countText(item.n) },
  ]
}

function Mean({ item, quality }: { item: ItemQuality; quality: DatasetQuality }) {
  const ends = item.confidence_interval_95
  return (
    <span className={styles.mean}>
      <Interval
        name={quality.scorer_name}
        mean={item.mean}
        interval={ends}
        threshold={quality.pass_threshold < 1 ? quality.pass_threshold : null}
        method={`over ${countWords(item.experiments, "experiment")}`}
        showNumber
        width={104}
      />
      <span className="mute">{intervalText(ends)}</span>
    </span>
  )
}

function Telling({ item }: { item: ItemQuality }) {
  if (item.discrimination !== null) return <>{deltaText(item.discrimination, 2)}</>
  const reason = item.discrimination_reason ?? "not known"
  return (
    <span className="mute" title={reason}>
      not known<span className="hidden-text">: {reason}</span>
    </span>
  )
}

function solvedOf(item: ItemQuality): string {
  return item.never_solved ? "✕ never" : item.always_solved ? "✓ always" : "at times"
}

function NoNumbers() {
  return (
    <NothingYet title="No numbers yet">
      How hard and how telling an item is follows from the scores of experiments on this dataset. No experiment on it has scores in numbers
      yet.
    </NothingYet>
  )
}

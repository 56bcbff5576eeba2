import { useEffect } from "react"
import type { ComparedItem, ComparisonPoints } from "../../api/experiments"
import type { Problem } from "../../api/problem"
import { useKeys } from "../../keys"
import type { Patch } from "../../viewState"
import type { StateOf } from "../../params"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import type { compareSearch } from "../../searches"
import { countText, MISSING, scoreText } from "../../words/format"
import { changeWords } from "../../words/verdicts"
import styles from "./Compare.module.css"
import type { Names } from "./names"
import { ItemPanel } from "./ItemPanel"

type State = StateOf<typeof compareSearch>
type Show = NonNullable<State["show"]>

interface Props {
  project: string
  counts: ComparisonPoints["counts"] | undefined
  names: Names
  rows: ComparedItem[] | undefined
  busy: boolean
  more: { has: boolean; loading: boolean; load: () => void; size: number }
  problem: Problem | null
  state: State
  change: (patch: Patch<typeof compareSearch>) => void
}

/** Items of a comparison, regressions first, each opened in place. */
export function Items({ project, counts, names, rows, busy, more, problem, state, change }: Props) {
  const at = rows?.findIndex((row) => row.dataset_item_id === state.item) ?? -1
  const go = (step: number): void => {
    const next = rows?.[at < 0 ? (step > 0 ? 0 : -1) : at + step]
    if (next) change({ item: next.dataset_item_id })
  }
  useKeys({ "item.next": () => go(1), "item.previous": () => go(-1), "step.out": () => change({ item: undefined }) })
  // An item that was opened from a plot may be further down: load until it is there.
  const { has, loading, load } = more
  const missing = state.item !== undefined && rows !== undefined && at < 0
  useEffect(() => {
    if (missing && has && !loading) load()
  }, [missing, has, loading, load])
  return (
    <div className={styles.table}>
      {counts && <Counts counts={counts} show={state.show} onShow={(show) => change({ show, item: undefined })} />}
      {problem ? (
        <ProblemBox problem={problem} />
      ) : rows?.length === 0 ? (
        <p role="status">No item is so.</p>
      ) : (
        <Table
          label="Compared items"
          rows={rows}
          rowKey={(row) => row.dataset_item_id}
          columns={columnsOf(names)}
          sort={state.sort ?? "delta"}
          onSort={(sort) => change({ sort: sort as State["sort"] })}
          onOpen={(row) => change({ item: row.dataset_item_id === state.item ? undefined : row.dataset_item_id })}
          openKey={state.item}
          detail={(row) => <ItemPanel project={project} item={row} names={names} as={state.as ?? "diff"} onAs={(as) => change({ as })} />}
          busy={busy}
          more={more}
        />
      )}
    </div>
  )
}

interface CountsProps {
  counts: ComparisonPoints["counts"]
  show: Show | undefined
  onShow: (show: Show | undefined) => void
}

/** Chips that are shown only where there is something to show. */
const ODD = new Set<Show>(["changed", "only_other", "only_base"])

/** The counts are filters of the table. */
function Counts({ counts, show, onShow }: CountsProps) {
  const chips: [Show, string, number][] = [
    ["regressed", "▼ regressed", counts.regressed],
    ["improved", "▲ improved", counts.improved],
    ["unchanged", "◆ unchanged", counts.unchanged],
    ["changed", "another label", counts.changed],
    ["only_other", "only in the candidate", counts.only_other],
    ["only_base", "only in the base", counts.only_base],
  ]
  return (
    <div className={styles.counts} role="group" aria-label="Show only">
      {chips.filter(([id, , count]) => count > 0 || !ODD.has(id) || show === id).map(([id, words, count]) => (
        <button key={id} type="button" aria-pressed={show === id} disabled={count === 0 && show !== id} onClick={() => onShow(show === id ? undefined : id)}>
          {words} {countText(count)}
        </button>
      ))}
    </div>
  )
}

function columnsOf(names: Names): Column<ComparedItem>[] {
  return [
    { id: "item", head: "Item", width: 220, grow: 3, sort: "item", cell: (row) => <Characters text={textOf(row.input).slice(0, 200)} /> },
    { id: "base", head: <Characters text={names.base ?? "base"} />, width: 110, align: "end", cell: (row) => sideOf(row.base_score, row.base_label) },
    { id: "candidate", head: <Characters text={names.candidate ?? "candidate"} />, width: 110, align: "end", cell: (row) => sideOf(row.other_score, row.other_label) },
    { id: "delta", head: "Change", width: 170, sort: "delta", cell: (row) => <Change row={row} /> },
    { id: "trials", head: "Trials", width: 190, cell: (row) => <TrialMarks row={row} /> },
  ]
}

function sideOf(score: number | null, label: string | null): string {
  return score !== null ? scoreText(score) : (label ?? MISSING)
}

function Change({ row }: { row: ComparedItem }) {
  if (row.delta === null) {
    const words = { only_base: "only in the base", only_other: "only in the candidate", changed: "another label", unchanged: "◆ same label" }
    return <span className="mute">{words[row.change as keyof typeof words] ?? row.change}</span>
  }
  const spoken = changeWords(row.delta)
  return (
    <span data-tone={spoken.tone} className={styles.change}>
      {spoken.text}
    </span>
  )
}

/** Each trial's score as a filled, half or empty circle: base, then candidate. */
function TrialMarks({ row }: { row: ComparedItem }) {
  const marks = (trials: ComparedItem["base"]): string =>
    trials.map((trial) => (trial.score === null ? "·" : trial.score >= 0.999 ? "●" : trial.score > 0.5 ? "◕" : trial.score > 0.001 ? "◔" : "○")).join("")
  const words = (trials: ComparedItem["base"]): string => trials.map((trial) => scoreText(trial.score, 2)).join(", ")
  return (
    <span title={`base ${words(row.base)}; candidate ${words(row.other)}`} className={styles.marks}>
      {marks(row.base)} → {marks(row.other)}
    </span>
  )
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null)
}

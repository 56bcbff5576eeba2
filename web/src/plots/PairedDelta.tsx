import { deltasOverview } from "../words/announce"
import { countText, countWords, deltaIntervalText, deltaText, type Ends, pText, scoreText, serverWords } from "../words/format"
import { byVerdict, verdictWords } from "../words/verdicts"
import { Axis } from "./Axis"
import { Figure } from "./figure"
import { IntervalMark } from "./IntervalMark"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { RowTexts } from "./RowTexts"
import { rowLayout } from "./rows"
import { symmetric } from "./scale"
import { px } from "./shapes"

export interface DeltaRow {
  id: string
  /** The scorer. */
  name: string
  verdict: "improved" | "regressed" | "equivalent" | "inconclusive"
  /** Mean of candidate − base over the pairs. */
  delta: number | null
  interval?: Ends | null
  /** The server's verdict in words: "better, by 0.115 to 0.314". */
  words?: string
  /** Adjusted p-value, and the one before adjusting. */
  p?: number | null
  rawP?: number | null
  pairs?: number
  /** How the interval was made, in plain words. */
  method?: string | null
  notes?: readonly string[]
  moreItems?: number | null
  small?: boolean
  href?: string
  onOpen?: () => void
}

export interface PairedDeltaProps {
  rows: readonly DeltaRow[]
  /** Differences smaller than this are too small to matter: a grey band. */
  minEffect?: number | null
  caption?: string
  width?: number
  /** Rows come as given instead of regressed, inconclusive, improved, equivalent. */
  keepOrder?: boolean
  /** What a difference is, and what its two sides mean. */
  axis?: DeltaAxis
}

export interface DeltaAxis {
  /** Below the axis: "candidate − base". */
  name: string
  worse: string
  better: string
  /** What a row is, and what its difference is counted over. */
  noun: string
  counted: string
}

const CANDIDATE: DeltaAxis = { name: "candidate − base", worse: "worse", better: "better", noun: "scorer", counted: "pairs" }

const HEAD = 16

/** Candidate − base per scorer, with the verdict in words. */
export function PairedDelta({ rows: given, minEffect, caption, width = 720, keepOrder = false, axis = CANDIDATE }: PairedDeltaProps) {
  const rows = keepOrder ? given : byVerdict(given)
  const band = minEffect && minEffect > 0 ? minEffect : null
  const layout = rowLayout(rows.map((row) => ({ label: row.name, right: rowWords(row) })), width, 28, HEAD)
  const scale = symmetric(
    [...rows.flatMap((row) => [row.delta, ...(row.interval ?? [])]), band === null ? 0 : band * 1.5], layout.plot,
  )
  const zero = px(scale.at(0))
  return (
    <Figure
      caption={caption ?? deltasOverview(rows)} width={width} height={layout.axisAt + (band === null ? 34 : 48)}
      marks={deltaMarks(rows, layout.rows, layout.plot, axis)} marksName={countWords(rows.length, axis.noun)} table={deltaTable(rows, axis)}
    >
      <RowTexts layout={layout} width={width} />
      {band !== null && (
        <rect
          className={css.quiet} x={px(scale.at(-band))} y={HEAD} width={px(scale.at(band) - scale.at(-band))}
          height={layout.axisAt - HEAD}
        />
      )}
      <Axis scale={scale} at={layout.axisAt} gridFrom={HEAD} />
      <path className={css.zero} d={`M${zero} ${HEAD}V${layout.axisAt}`} />
      <text className={`${css.tick} ${css.end}`} x={zero - 8} y={10}>◀ {axis.worse}</text>
      <text className={css.tick} x={zero + 8} y={10}>{axis.better} ▶</text>
      <text className={`${css.tick} ${css.middle}`} x={zero} y={layout.axisAt + 28}>{axis.name}</text>
      {band !== null && (
        <text
          className={`${css.tick} ${css.middle}`} x={zero} y={layout.axisAt + 42}
        >
          grey: within ±{scoreText(band)}, too small to matter
        </text>
      )}
      {rows.map((row, index) => (
        <IntervalMark
          key={row.id} scale={scale} across={layout.rows[index]?.middle ?? 0} bounds={[-1, 1]} small={row.small}
          estimate={{ mean: row.delta, interval: row.interval }}
        />
      ))}
    </Figure>
  )
}

function rowWords(row: DeltaRow): string {
  const { shape, word } = verdictWords(row.verdict)
  return `${shape} ${row.words !== undefined ? serverWords(row.words) : `${word}: ${deltaText(row.delta)}`}`
}

function deltaMarks(
  rows: readonly DeltaRow[], places: readonly { middle: number; height: number }[], plot: Ends, axis: DeltaAxis,
): Mark[] {
  return rows.map((row, index) => ({
    id: row.id, title: `${row.name}: ${rowWords(row)}`, details: deltaDetails(row, axis), href: row.href, onOpen: row.onOpen,
    x: (plot[0] + plot[1]) / 2, y: places[index]?.middle ?? 0, width: plot[1] - plot[0] + 12,
    height: (places[index]?.height ?? 24) - 2,
  }))
}

function deltaDetails(row: DeltaRow, axis: DeltaAxis): [string, string][] {
  const rows: [string, string][] = [
    ["difference", deltaText(row.delta)], ["95 % interval", deltaIntervalText(row.interval)],
  ]
  if (row.p !== undefined) rows.push(["adjusted p", pText(row.p)])
  if (row.rawP !== undefined) rows.push(["p before adjusting", pText(row.rawP)])
  if (row.pairs !== undefined) rows.push([axis.counted, countText(row.pairs)])
  if (row.moreItems) rows.push(["would probably decide", `${countText(row.moreItems)} more items`])
  if (row.method) rows.push(["method", row.method])
  row.notes?.forEach((note, index) => rows.push([index ? `note ${index + 1}` : "note", note]))
  return rows
}

function deltaTable(rows: readonly DeltaRow[], axis: DeltaAxis) {
  return {
    head: [axis.noun, "verdict", "difference", "95 % interval", "adjusted p", axis.counted],
    rows: rows.map((row) => [
      row.name, rowWords(row), deltaText(row.delta), deltaIntervalText(row.interval), pText(row.p),
      countText(row.pairs),
    ]),
  }
}

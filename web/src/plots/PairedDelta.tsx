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
}

const HEAD = 16

/** Candidate − base per scorer, with the verdict in words. */
export function PairedDelta({ rows: given, minEffect, caption, width = 720, keepOrder = false }: PairedDeltaProps) {
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
      marks={deltaMarks(rows, layout.rows, layout.plot)} marksName={countWords(rows.length, "scorer")} table={deltaTable(rows)}
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
      <text className={`${css.tick} ${css.end}`} x={zero - 8} y={10}>◀ worse</text>
      <text className={css.tick} x={zero + 8} y={10}>better ▶</text>
      <text className={`${css.tick} ${css.middle}`} x={zero} y={layout.axisAt + 28}>candidate − base</text>
      {band !== null && (
        <text
          className={`${css.tick} ${css.middle}`} x={zero} y={layout.axisAt + 42}
        >
          grey: within ±{scoreText(band)}, too small to matter
        </text>
      )}
      {rows.map((row, place) => (
        <IntervalMark
          key={row.id} scale={scale} across={layout.rows[place]?.middle ?? 0} bounds={[-1, 1]} small={row.small}
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
  rows: readonly DeltaRow[], places: readonly { middle: number; height: number }[], plot: Ends,
): Mark[] {
  return rows.map((row, place) => ({
    id: row.id, title: `${row.name}: ${rowWords(row)}`, details: deltaDetails(row), href: row.href, onOpen: row.onOpen,
    x: (plot[0] + plot[1]) / 2, y: places[place]?.middle ?? 0, width: plot[1] - plot[0] + 12,
    height: (places[place]?.height ?? 24) - 2,
  }))
}

function deltaDetails(row: DeltaRow): [string, string][] {
  const rows: [string, string][] = [
    ["difference", deltaText(row.delta)], ["95 % interval", deltaIntervalText(row.interval)],
  ]
  if (row.p !== undefined) rows.push(["adjusted p", pText(row.p)])
  if (row.rawP !== undefined) rows.push(["p before adjusting", pText(row.rawP)])
  if (row.pairs !== undefined) rows.push(["pairs", countText(row.pairs)])
  if (row.moreItems) rows.push(["would probably decide", `${countText(row.moreItems)} more items`])
  if (row.method) rows.push(["method", row.method])
  row.notes?.forEach((note, place) => rows.push([place ? `note ${place + 1}` : "note", note]))
  return rows
}

function deltaTable(rows: readonly DeltaRow[]) {
  return {
    head: ["scorer", "verdict", "difference", "95 % interval", "adjusted p", "pairs"],
    rows: rows.map((row) => [
      row.name, rowWords(row), deltaText(row.delta), deltaIntervalText(row.interval), pText(row.p),
      countText(row.pairs),
    ]),
  }
}

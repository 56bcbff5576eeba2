import { estimatesOverview, noScoreText, type Reasons } from "../words/announce"
import { countText, countWords, intervalText, scoreText } from "../words/format"
import { Axis, axisHeight } from "./Axis"
import { Figure } from "./figure"
import { intervalDetails } from "./Interval"
import { IntervalMark } from "./IntervalMark"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { RowTexts } from "./RowTexts"
import { rowLayout } from "./rows"
import { axisWords, scoreScale } from "./scale"
import { type Estimate, px } from "./shapes"

export interface ForestRow extends Estimate {
  id: string
  name: string
  small?: boolean
  /** The gate's bar in this row. */
  threshold?: number | null
  scored?: number
  total?: number
  reasons?: Reasons
  pending?: number
  /** How the interval was made, in plain words. */
  method?: string | null
  notes?: readonly string[]
  /** Words at the right of the row; mean and interval unless given. */
  words?: string
  series?: 1 | 2
  href?: string
  onOpen?: () => void
}

export interface ForestProps {
  rows: readonly ForestRow[]
  /** The finding; unless given, the highest and the lowest row. */
  caption?: string
  /** What a row is: "scorer", "agent". */
  noun?: string
  width?: number
  /** Sets the axis to the data; it then says its ends. */
  zoom?: boolean
  /** One bar for all rows. */
  threshold?: number | null
}

/** Estimates in rows on one shared axis, so that they can be read against each other. */
export function Forest({ rows, caption, noun, width = 640, zoom = false, threshold = null }: ForestProps) {
  const layout = rowLayout(
    rows.map((row) => ({ label: row.name, right: forestWords(row) })), width, 26, threshold === null ? 0 : 14,
  )
  const values = rows.flatMap(
    (row) => [row.mean, ...(row.interval ?? []), ...(row.bracket ?? []), row.threshold ?? threshold]
  )
  const scale = scoreScale(values, layout.plot, zoom)
  const height = layout.axisAt + axisHeight(zoom || axisWords(scale.domain) !== null)
  const bar = threshold === null ? null : scale.inside(threshold)
  return (
    <Figure
      caption={caption ?? estimatesOverview(rows, noun)} width={width} height={height}
      marks={forestMarks(rows, layout.rows, layout.plot)}
      marksName={countWords(rows.length, "row")} table={forestTable(rows)}
    >
      <RowTexts layout={layout} width={width} />
      <Axis scale={scale} at={layout.axisAt} gridFrom={layout.rows[0]?.top ?? 0} scores />
      {bar !== null && (
        <>
          <path className={css.threshold} d={`M${px(bar)} 12V${layout.axisAt}`} />
          <text className={`${css.tick} ${css.middle}`} x={px(bar)} y={9}>{scoreText(threshold)}</text>
        </>
      )}
      {rows.map((row, index) => {
        const { middle, top, height: tall } = layout.rows[index] ?? { middle: 0, top: 0, height: 0 }
        const own = row.threshold === null || row.threshold === undefined ? null : scale.inside(row.threshold)
        return (
          <g key={row.id}>
            {own !== null && <path className={css.threshold} d={`M${px(own)} ${top + 3}V${top + tall - 3}`} />}
            <IntervalMark scale={scale} across={middle} estimate={row} small={row.small} series={row.series} />
          </g>
        )
      })}
    </Figure>
  )
}

function forestWords(row: ForestRow): string {
  if (row.words !== undefined) return row.words
  return row.mean === null
    ? noScoreText(row.reasons, row.pending)
    : `${scoreText(row.mean)}  ${intervalText(row.interval)}`
}

function forestMarks(
  rows: readonly ForestRow[], places: readonly { middle: number; height: number }[], plot: readonly [number, number],
): Mark[] {
  return rows.map((row, index) => ({
    id: row.id, title: row.name, details: intervalDetails(row), href: row.href, onOpen: row.onOpen,
    x: (plot[0] + plot[1]) / 2, y: places[index]?.middle ?? 0, width: plot[1] - plot[0] + 12,
    height: (places[index]?.height ?? 24) - 2,
  }))
}

function forestTable(rows: readonly ForestRow[]) {
  return {
    head: ["name", "mean", "95 % interval", "scored", "method"],
    rows: rows.map((row) => [
      row.name, row.mean === null ? noScoreText(row.reasons, row.pending) : scoreText(row.mean),
      intervalText(row.interval),
      row.scored === undefined ? "–" : `${countText(row.scored)} of ${countText(row.total)}`, row.method ?? "–",
    ]),
  }
}

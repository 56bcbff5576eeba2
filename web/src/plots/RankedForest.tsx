import { countText, countWords, type Ends, intervalText, intervalWords, scoreText } from "../words/format"
import { Axis } from "./Axis"
import { Figure } from "./figure"
import { intervalDetails } from "./Interval"
import { IntervalMark } from "./IntervalMark"
import css from "./marks.module.css"
import { RowTexts } from "./RowTexts"
import { linear, scoreScale } from "./scale"
import { type Estimate, px } from "./shapes"
import { textWidth, wrapped } from "./text"
import { LINE, PAD, type RowLayout } from "./rows"

export interface RankedRow extends Estimate {
  id: string
  rank: number | null
  /** The ranks that are possible. */
  ranks: Ends | null
  /** Letters of the groups that it is in. */
  group: string
  scored: number
  total: number
  reasons?: Readonly<Record<string, number>>
  method?: string | null
  notes?: readonly string[]
  small?: boolean
  onOpen?: () => void
}

export interface RankedForestProps {
  rows: readonly RankedRow[]
  /** Rows of which no two can be told apart, by id. */
  groups: readonly (readonly string[])[]
  caption: string
  width?: number
  zoom?: boolean
}

const HEAD = 34
const ROW = 28
const BRACKET = 20
/** Room that the name of a rank takes. */
const TICK = 14
/** More groups than these are shown by their letters only. */
const MOST_BRACKETS = 8

/** A row per agent: its possible ranks as a bar, its groups as brackets, and its score with whiskers. */
export function RankedForest({ rows, groups, caption, width = 960, zoom = false }: RankedForestProps) {
  const ranked = rows.filter((row) => row.rank !== null).length
  const brackets = groups.map((group, at) => ({ group, letter: groupLetter(at, groups.length) })).filter(({ group }) => group.length > 1).slice(0, MOST_BRACKETS)
  const label = Math.min(Math.max(0, ...rows.map((row) => textWidth(row.id))), width * 0.24)
  const right = Math.min(Math.max(0, ...rows.map((row) => textWidth(rowWords(row)))), width * 0.24)
  const ranksFrom = PAD + label + 22
  const ranksTo = ranksFrom + (ranked > 1 ? Math.min(170, width * 0.16) : 0)
  const bracketsFrom = ranksTo + 20
  const plot: Ends = [bracketsFrom + BRACKET * brackets.length + 14, width - right - 24]
  const layout = layoutOf(rows, label, right, plot, width)
  const scores = scoreScale(rows.flatMap((row) => [row.mean, ...(row.interval ?? [])]), plot, zoom)
  const ranks = linear([1, Math.max(2, ranked)], [ranksFrom, ranksTo], 5, (value) => String(value))
  const whole = [1, ...ranks.ticks.map((tick) => tick.value)].filter((value, at) => at === 0 || (Number.isInteger(value) && ranks.at(value) - ranks.at(1) > TICK))
  const place = new Map(rows.map((row, at) => [row.id, at]))
  return (
    <Figure
      caption={caption} width={width} height={layout.height + (zoom ? 12 : 0)}
      marksName={countWords(rows.length, "agent")} table={tableOf(rows)}
      marks={rows.map((row, at) => ({
        id: row.id, title: `${row.id}: rank ${rankText(row)}`, onOpen: row.onOpen, linkText: "open the agent",
        details: [["groups", row.group || "–"], ...intervalDetails(row)] as [string, string][],
        x: width / 2, y: layout.rows[at]?.middle ?? 0, width: width - 4, height: (layout.rows[at]?.height ?? ROW) - 2,
      }))}
    >
      <RowTexts layout={layout} width={width} />
      {ranked > 1 && <text className={css.tick} x={px(ranksFrom)} y={11}>possible ranks</text>}
      <text className={css.tick} x={px(plot[0])} y={11}>score, 95 % interval</text>
      {ranked > 1 && whole.map((value) => (
        <g key={value}>
          <path className={css.grid} d={`M${px(ranks.at(value))} ${HEAD - 4}V${layout.axisAt}`} />
          <text className={`${css.tick} ${css.middle}`} x={px(ranks.at(value))} y={HEAD - 9}>{value}</text>
        </g>
      ))}
      {brackets.map(({ group, letter }, at) => (
        <Bracket key={letter} x={bracketsFrom + BRACKET * at} letter={letter} layout={layout} runs={runsOf(group.map((id) => place.get(id) ?? 0))} />
      ))}
      <Axis scale={scores} at={layout.axisAt} gridFrom={HEAD - 4} scores />
      {rows.map((row, at) => {
        const y = layout.rows[at]?.middle ?? 0
        return (
          <g key={row.id}>
            {ranked > 1 && row.rank !== null && row.ranks !== null && (
              <>
                <rect className={css.ranks} x={px(ranks.at(row.ranks[0]) - 4)} y={y - 5} width={px(ranks.at(row.ranks[1]) - ranks.at(row.ranks[0]) + 8)} height={10} rx={5} />
                <circle className={css.dot} cx={px(ranks.at(row.rank))} cy={y} r={4} />
              </>
            )}
            <IntervalMark scale={scores} across={y} estimate={row} small={row.small} radius={4} />
          </g>
        )
      })}
    </Figure>
  )
}

/** A bracket beside each run of neighbours, dots past rows that are not of the group, and its letter beside the longest run. */
function Bracket({ x, letter, layout, runs }: { x: number; letter: string; layout: RowLayout; runs: readonly Ends[] }) {
  const ends = runs.map(([first, last]): Ends => {
    const [top, bottom] = [layout.rows[first], layout.rows[last]]
    return [(top?.top ?? 0) + 5, (bottom?.top ?? 0) + (bottom?.height ?? 0) - 5]
  })
  const longest = ends.reduce((most, run) => (run[1] - run[0] > most[1] - most[0] ? run : most), [0, 0])
  return (
    <>
      {ends.map(([top, bottom], at) => (
        <g key={top}>
          <path className={css.axis} d={`M${px(x + 5)} ${top}H${px(x)}V${bottom}H${px(x + 5)}`} />
          {at > 0 && <path className={css.skipped} d={`M${px(x)} ${ends[at - 1]?.[1] ?? top}V${top}`} />}
        </g>
      ))}
      <text className={css.tick} x={px(x + 6)} y={(longest[0] + longest[1]) / 2 + 4}>{letter}</text>
    </>
  )
}

/** The name of a group by its place among all: letters, and numbers where letters do not suffice. */
export function groupLetter(at: number, groups: number): string {
  return groups <= 26 ? String.fromCharCode(97 + at) : String(at + 1)
}

/** Places in a row as first and last of each run of neighbours. */
export function runsOf(places: readonly number[]): Ends[] {
  const runs: Ends[] = []
  for (const place of [...places].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last !== undefined && place - last[1] <= 1) runs[runs.length - 1] = [last[0], place]
    else runs.push([place, place])
  }
  return runs
}

function layoutOf(rows: readonly RankedRow[], label: number, right: number, plot: Ends, width: number): RowLayout {
  let top = HEAD
  const placed = rows.map((row) => {
    const lines = { label: wrapped(row.id, label + 1), right: wrapped(rowWords(row), right + 1) }
    const height = Math.max(ROW, Math.max(lines.label.length, lines.right.length) * LINE + 8)
    const at = { top, middle: top + height / 2, height, ...lines }
    top += height
    return at
  })
  return { plot, rightAt: width - right - PAD, rows: placed, axisAt: top + 2, height: top + 26 }
}

function rowWords(row: RankedRow): string {
  return row.mean === null ? "no score" : `${scoreText(row.mean)} (${intervalWords(row.interval)})`
}

/** `1, could be 1 to 3`. */
function rankText(row: RankedRow): string {
  if (row.rank === null) return "–"
  return row.ranks === null || row.ranks[0] === row.ranks[1] ? String(row.rank) : `${row.rank}, could be ${row.ranks[0]} to ${row.ranks[1]}`
}

function tableOf(rows: readonly RankedRow[]) {
  return {
    head: ["agent", "rank", "possible ranks", "groups", "score", "95 % interval", "scored"],
    rows: rows.map((row) => [
      row.id, row.rank === null ? "–" : String(row.rank), row.ranks === null ? "–" : `${row.ranks[0]} to ${row.ranks[1]}`,
      row.group || "–", scoreText(row.mean), intervalText(row.interval), `${countText(row.scored)} of ${countText(row.total)}`,
    ]),
  }
}

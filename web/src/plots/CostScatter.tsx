import { countWords, type Ends, intervalText, moneyText, scoreText } from "../words/format"
import { Axis, SideAxis } from "./Axis"
import { Figure } from "./figure"
import { IntervalMark } from "./IntervalMark"
import css from "./marks.module.css"
import { linear, type Scale, scoreScale } from "./scale"
import { px } from "./shapes"
import { shortened, textWidth } from "./text"

export interface CostPoint {
  id: string
  score: number
  scoreEnds: Ends | null
  /** The score stands on few items: the dot is hollow. */
  small?: boolean
  /** Dollars per run. */
  cost: number
  costEnds: Ends | null
  onOpen?: () => void
}

export interface CostScatterProps {
  points: readonly CostPoint[]
  /** Those that no other is both as cheap as and better than, the cheapest first. */
  front: readonly string[]
  caption: string
  width?: number
  height?: number
}

const LEFT = 44
const TOP = 14
const APART = 14
/** A name that is longer is shortened, and one without a free place within so many lines is left to its dot. */
const NAME = 160
const MOST_LINES = 3

/** Score over cost per run, whiskers both ways; a dashed step joins those that no other beats. */
export function CostScatter({ points, front, caption, width = 760, height = 380 }: CostScatterProps) {
  const shown = points.map((point) => shortened(point.id, NAME))
  const names = Math.max(0, ...shown.map((name) => textWidth(name)))
  const most = Math.max(...points.flatMap((point) => [point.cost, point.costEnds?.[1] ?? 0]))
  const foot = height - 40
  const x = costScale(most, [LEFT + 6, width - names - 20])
  const y = scoreScale([], [foot, TOP])
  const labels = labelPlaces(points.map((point, at) => ({ name: shown[at] ?? "", x: x.at(point.cost), y: y.at(point.score) })), foot)
  const unnamed = labels.filter((label) => label === null).length
  return (
    <Figure
      caption={unnamed > 0 ? `${caption} ${unnamedWords(unnamed)}` : caption} width={width} height={height} marksName={countWords(points.length, "agent")}
      table={{
        head: ["agent", "USD per run", "95 % interval", "score", "95 % interval"],
        rows: points.map((point) => [point.id, moneyText(point.cost), moneyEnds(point.costEnds), scoreText(point.score), intervalText(point.scoreEnds)]),
      }}
      marks={points.map((point) => ({
        id: point.id, title: point.id, onOpen: point.onOpen, linkText: "open the agent", x: x.at(point.cost), y: y.at(point.score), width: 20, height: 20,
        details: [
          ["cost per run", moneyText(point.cost)], ["95 % interval of it", moneyEnds(point.costEnds)],
          ["score", scoreText(point.score)], ["95 % interval of it", intervalText(point.scoreEnds)],
        ],
      }))}
    >
      <SideAxis scale={y} at={LEFT} gridTo={width - names - 14} />
      <Axis scale={x} at={foot + 2} words="USD per run" />
      <path className={css.front} d={stepPath(points, front, x, y, foot)} />
      {points.map((point) => (
        <g key={point.id}>
          <IntervalMark scale={x} across={y.at(point.score)} estimate={{ mean: null, interval: point.costEnds }} bounds={null} />
          <IntervalMark scale={y} across={x.at(point.cost)} estimate={{ mean: point.score, interval: point.scoreEnds }} vertical radius={4.5} small={point.small} />
        </g>
      ))}
      {points.map((point, at) => labels[at] !== null && (
        <text key={point.id} className={`${css.text} ${css.over}`} x={px(x.at(point.cost) + 8)} y={px(labels[at] ?? 0)}>{shown[at]}</text>
      ))}
    </Figure>
  )
}

function unnamedWords(count: number): string {
  if (count === 1) return "One dot has no room for its name: point at it, or see the table."
  return `${countWords(count, "dot")} have no room for their names: point at them, or see the table.`
}

interface Label {
  name: string
  x: number
  y: number
}

/** Baselines of names: right of their dots, below those that stand there already; null where there is no room above the foot. */
export function labelPlaces(labels: readonly Label[], foot: number): (number | null)[] {
  const taken: { x: number; y: number; width: number }[] = []
  return labels.map(({ name, x, y }) => {
    const own = { x, y: y - 6, width: textWidth(name) + 12 }
    const isTaken = (): boolean =>
      taken.some((other) => own.x < other.x + other.width && other.x < own.x + own.width && Math.abs(other.y - own.y) < APART)
    for (let line = 0; line < MOST_LINES && isTaken(); line += 1) own.y += APART
    if (isTaken() || own.y > foot - 3) return null
    taken.push(own)
    return own.y
  })
}

function stepPath(points: readonly CostPoint[], front: readonly string[], x: Scale, y: Scale, foot: number): string {
  let path = ""
  for (const id of front) {
    const point = points.find((point) => point.id === id)
    if (!point) continue
    const [across, up] = [px(x.at(point.cost)), px(y.at(point.score))]
    path += path ? `H${across}V${up}` : `M${across} ${foot}V${up}`
  }
  return path && `${path}H${px(x.range[1])}`
}

/** From 0 to a nice end, with as many decimals as tell the ticks apart. */
export function costScale(most: number, range: Ends): Scale {
  const scale = linear([0, niceEnd(most)], range, 4)
  const step = (scale.ticks[1]?.value ?? 1) - (scale.ticks[0]?.value ?? 0)
  const decimals = Math.max(2, -Math.floor(Math.log10(step) + 1e-9))
  scale.ticks = scale.ticks.map((tick) => ({ ...tick, text: `$${tick.value.toFixed(decimals)}` }))
  return scale
}

/** The end of an axis from 0: the least of 1, 2, 2.5 or 5 times a power of ten that holds everything. */
function niceEnd(most: number): number {
  for (let power = 1e-9; power < 1e12; power *= 10) {
    for (const step of [1, 2, 2.5, 5]) if (step * power >= most * (1 - 1e-12)) return step * power
  }
  return most
}

function moneyEnds(ends: Ends | null): string {
  return ends === null ? "–" : `${moneyText(ends[0])} to ${moneyText(ends[1])}`
}

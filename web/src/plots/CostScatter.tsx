import { countWords, type Ends, intervalText, moneyText, scoreText } from "../words/format"
import { Axis, SideAxis } from "./Axis"
import { Figure } from "./figure"
import { IntervalMark } from "./IntervalMark"
import css from "./marks.module.css"
import { linear, type Scale, scoreScale } from "./scale"
import { px } from "./shapes"
import { textWidth } from "./text"

export interface CostPoint {
  id: string
  score: number
  scoreEnds: Ends | null
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

/** Score over cost per run, whiskers both ways; a dashed step joins those that no other beats. */
export function CostScatter({ points, front, caption, width = 760, height = 380 }: CostScatterProps) {
  const names = Math.min(Math.max(0, ...points.map((point) => textWidth(point.id))), width * 0.3)
  const most = Math.max(...points.flatMap((point) => [point.cost, point.costEnds?.[1] ?? 0]))
  const foot = height - 40
  const x = linear([0, niceEnd(most)], [LEFT + 6, width - names - 20], 4, (value) => moneyText(value))
  const y = scoreScale([], [foot, TOP])
  const labels = labelPlaces(points, x, y)
  return (
    <Figure
      caption={caption} width={width} height={height} marksName={countWords(points.length, "agent")}
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
      {points.map((point, at) => (
        <g key={point.id}>
          <IntervalMark scale={x} across={y.at(point.score)} estimate={{ mean: null, interval: point.costEnds }} bounds={null} />
          <IntervalMark scale={y} across={x.at(point.cost)} estimate={{ mean: point.score, interval: point.scoreEnds }} vertical radius={4.5} />
          <text className={css.text} x={px(x.at(point.cost) + 8)} y={px(labels[at] ?? 0)}>{point.id}</text>
        </g>
      ))}
    </Figure>
  )
}

/** Names stand right of their dots, below those that stand there already. */
function labelPlaces(points: readonly CostPoint[], x: Scale, y: Scale): number[] {
  const taken: { x: number; y: number; width: number }[] = []
  return points.map((point) => {
    const own = { x: x.at(point.cost), y: y.at(point.score) - 6, width: textWidth(point.id) + 12 }
    while (taken.some((other) => own.x < other.x + other.width && other.x < own.x + own.width && Math.abs(other.y - own.y) < APART)) own.y += APART
    taken.push(own)
    return own.y
  })
}

function stepPath(points: readonly CostPoint[], front: readonly string[], x: Scale, y: Scale, foot: number): string {
  let path = ""
  for (const id of front) {
    const point = points.find((one) => one.id === id)
    if (!point) continue
    const [across, up] = [px(x.at(point.cost)), px(y.at(point.score))]
    path += path ? `H${across}V${up}` : `M${across} ${foot}V${up}`
  }
  return path && `${path}H${px(x.range[1])}`
}

/** The end of an axis from 0: the least of 1, 2, 2.5 or 5 times a power of ten that holds everything. */
export function niceEnd(most: number): number {
  for (let power = 1e-9; power < 1e12; power *= 10) {
    for (const step of [1, 2, 2.5, 5]) if (step * power >= most * (1 - 1e-12)) return step * power
  }
  return most
}

function moneyEnds(ends: Ends | null): string {
  return ends === null ? "–" : `${moneyText(ends[0])} to ${moneyText(ends[1])}`
}

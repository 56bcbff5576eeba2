import { max } from "d3-array"
import { distributionSentence, type Reasons, sortedReasons } from "../words/announce"
import { countText, intervalText, scoreText, shareText } from "../words/format"
import { Axis, axisHeight } from "./Axis"
import { Beeswarm } from "./Beeswarm"
import { Figure } from "./figure"
import { Histogram } from "./Histogram"
import { IntervalMark } from "./IntervalMark"
import { MissingBlock, missingRoom } from "./MissingBlock"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { linear, type Scale, scoreScale } from "./scale"
import { type Estimate, px } from "./shapes"
import { type Bin, binned, DOT, missingBlock, type RawScore, swarm, swarmHeight } from "./swarm"

export interface DistributionProps {
  /** The scorer. */
  name: string
  scores: readonly RawScore[]
  /** Drawn above on the same axis. */
  estimate?: Estimate
  small?: boolean
  /** Why runs have no score → how many. */
  reasons?: Reasons
  threshold?: number | null
  caption?: string
  width?: number
  zoom?: boolean
  /** A bin was picked: smallest and largest score in it, both included. */
  onRange?: (low: number, high: number) => void
  /** A reason was picked. */
  onReason?: (reason: string) => void
}

const LEFT = 40
const INSET = 10
const HEAD = 24
const HIGHEST = 140
const LEAST = 60

/** All scores of one scorer: dots up to 400 runs where they fit, else 20 bins with a rug; the missing at the right. */
export function Distribution(props: DistributionProps) {
  const { name, scores, estimate, small, reasons, threshold = null, width = 480, zoom = false } = props
  const missing = sortedReasons(reasons)
  const room = missingRoom(missing, width)
  const plotEnd = width - room.width - INSET
  const values = scores.map((score) => score.value)
  const scale = scoreScale([...values, estimate?.mean, ...(estimate?.interval ?? [])], [LEFT, plotEnd], zoom)
  const tall = swarm(scores, scale, HIGHEST, HEAD)
  const foot = tall ? HEAD + Math.max(LEAST, swarmHeight(tall, HIGHEST) + DOT) : HIGHEST
  const dots = tall && swarm(scores, scale, foot, HEAD)
  const bins = binned(values, scale.domain)
  const counts = linear([0, Math.max(1, max(bins, (one) => one.count) ?? 1)], [foot, HEAD], 3, countText)
  const perRun = dots ? (DOT * DOT) / room.block : (foot - HEAD) / counts.domain[1]
  const block = missingBlock(missing, perRun, foot, HEAD)
  const bar = threshold === null ? null : px(scale.inside(threshold))
  return (
    <Figure
      caption={props.caption ?? `${name}: ${distributionSentence(values, reasons)}`} width={width}
      height={Math.max(foot + axisHeight(zoom), room.height)}
      marks={
        [
          ...binMarks(bins, scale, foot, values.length, props.onRange),
          ...reasonMarks(block, plotEnd + room.gap + room.block / 2, room.block, props.onReason),
        ]
      }
      marksName={`${name}, bins of scores`} table={binTable(bins, values.length, missing)}
    >
      <Axis scale={scale} at={foot} gridFrom={HEAD} scores />
      {dots ? <Beeswarm dots={dots} /> : <Histogram bins={bins} values={values} scale={scale} counts={counts} />}
      {bar !== null && <path className={css.threshold} d={`M${bar} 2V${foot}`} />}
      {estimate && <IntervalMark scale={scale} across={12} estimate={estimate} small={small} />}
      <MissingBlock segments={block} x={plotEnd + room.gap} room={room} foot={foot} />
    </Figure>
  )
}

function binMarks(
  bins: readonly Bin[], scale: Scale, foot: number, n: number, onRange: DistributionProps["onRange"],
): Mark[] {
  return bins.filter((bin) => bin.count > 0).map((one) => ({
    id: `bin ${one.low}`, title: `${scoreText(one.low, 2)} to ${scoreText(one.high, 2)}`,
    details: [
      ["scores", countText(one.count)], ["share", shareText(one.count / n, n)], ["in it", intervalText(one.range)],
    ],
    x: (scale.at(one.low) + scale.at(one.high)) / 2, y: (HEAD + foot) / 2,
    width: scale.at(one.high) - scale.at(one.low), height: foot - HEAD,
    ...(onRange && { onPick: () => onRange(one.range[0], one.range[1]) }),
  }))
}

function reasonMarks(
  block: readonly { reason: string; count: number; top: number; bottom: number }[], x: number, width: number,
  onReason: DistributionProps["onReason"],
): Mark[] {
  return block.map(({ reason, count, top, bottom }) => ({
    id: `reason ${reason}`, title: "without score", details: [[reason, countText(count)]],
    x, y: (top + bottom) / 2, width, height: Math.max(8, bottom - top),
    ...(onReason && { onPick: () => onReason(reason) }),
  }))
}

function binTable(bins: readonly Bin[], n: number, missing: readonly (readonly [string, number])[]) {
  const rows = bins.map(
    (one) => [
      `${scoreText(one.low, 2)} to ${scoreText(one.high, 2)}`, countText(one.count),
      n ? shareText(one.count / n, n) : "–",
    ]
  )
  return {
    head: ["score", "count", "share of scores"],
    rows: [...rows, ...missing.map(([reason, count]) => [`no score: ${reason}`, countText(count), "–"])],
  }
}

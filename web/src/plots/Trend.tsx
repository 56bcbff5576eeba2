import { trendSentence } from "../words/announce"
import { countWords, type Ends, intervalText, scoreText } from "../words/format"
import { momentText } from "../words/time"
import { Axis, axisHeight, SideAxis } from "./Axis"
import { Figure } from "./figure"
import { IntervalMark } from "./IntervalMark"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { axisWords, extent, type Scale, scoreScale, timeScale } from "./scale"
import { linePath, px } from "./shapes"

export interface TrendPoint {
  id: string
  /** The experiment. */
  label: string
  /** When it was completed, in milliseconds. */
  time: number
  mean: number | null
  interval?: Ends | null
  /** Points of one dataset are joined by a line, others are not comparable. */
  dataset: string
  small?: boolean
  href?: string
  onOpen?: () => void
}

export interface TrendProps {
  /** The scorer. */
  name: string
  points: readonly TrendPoint[]
  /** A range of values drawn as a band, such as that of the reference. */
  band?: Ends | null
  caption?: string
  width?: number
  height?: number
  zoom?: boolean
  /** The same time axis for all small multiples. */
  times?: Ends
}

const LEFT = 30
const RIGHT = 20
const TOP = 6

/** One scorer over time, as a small multiple: a dot with whiskers per experiment. */
export function Trend(
  { name, points: given, band, caption, width = 240, height = 64, zoom = false, times }: TrendProps
) {
  const points = [...given].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
  const values = [...points.flatMap((point) => [point.mean, ...(point.interval ?? [])]), ...(band ?? [])]
  const bottom = height - axisHeight(false)
  const y = scoreScale(values, [bottom, TOP], zoom, 2)
  const x = timeScale(times ?? extent(points.map((point) => point.time)) ?? [0, 0], [LEFT + 6, width - RIGHT], 3)
  const words = axisWords(y.domain)
  return (
    <Figure
      caption={caption ?? trendSentence(name, points)} width={width} height={height + (words ? 13 : 0)}
      marks={trendMarks(points, x, y)}
      marksName={`${name}, ${countWords(points.length, "experiment")}`} table={trendTable(points)}
    >
      {band && (
        <rect
          className={css.quiet} x={LEFT} width={width - RIGHT - LEFT} y={px(y.inside(band[1]))}
          height={px(y.inside(band[0]) - y.inside(band[1]))}
        />
      )}
      <SideAxis scale={y} at={LEFT} gridTo={width - RIGHT} gap={12} endsOnly />
      <Axis scale={x} at={bottom} words={words} />
      {datasetLines(points, x, y).map(({ dataset, path }) => <path key={dataset} className={css.trace} d={path} />)}
      {points.filter((point) => point.mean === null).map((point) => (
        <path key={point.id} className={css.outline} d={`M${px(x.at(point.time) - 2.5)} ${bottom - 6}h5v5h-5Z`} />
      ))}
      {points.map((point) => (
        <IntervalMark
          key={point.id} scale={y} across={px(x.at(point.time))}
          estimate={{ mean: point.mean, interval: point.interval }} vertical
          small={point.small} cap={2} radius={2.5}
        />
      ))}
    </Figure>
  )
}

/** One thin line per dataset, through its means in the order of time; a missing mean makes a gap. */
export function datasetLines(points: readonly TrendPoint[], x: Scale, y: Scale): { dataset: string; path: string }[] {
  const datasets = [...new Set(points.map((point) => point.dataset))]
  return datasets.map((dataset) => ({
    dataset,
    path: linePath(
      points
        .filter((point) => point.dataset === dataset)
        .map((point) => (point.mean === null ? null : [x.at(point.time), y.inside(point.mean)])),
    ),
  }))
}

function trendMarks(points: readonly TrendPoint[], x: Scale, y: Scale): Mark[] {
  const [bottom, top] = y.range
  return points.map((point) => ({
    id: point.id, title: point.label, href: point.href, onOpen: point.onOpen, linkText: "open the experiment",
    details: [
      ["mean", point.mean === null ? "no score" : scoreText(point.mean)],
      ["95 % interval", intervalText(point.interval)], ["completed", momentText(point.time)],
      ["dataset", point.dataset],
    ],
    x: x.at(point.time), y: (top + bottom) / 2, width: 12, height: bottom - top,
  }))
}

function trendTable(points: readonly TrendPoint[]) {
  return {
    head: ["experiment", "completed", "dataset", "mean", "95 % interval"],
    rows: points.map(
      (point) => [
        point.label, momentText(point.time), point.dataset, point.mean === null ? "no score" : scoreText(point.mean),
        intervalText(point.interval),
      ]
    ),
  }
}

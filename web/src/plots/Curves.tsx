import { curvesSentence } from "../words/announce"
import { type Ends, intervalText, scoreText } from "../words/format"
import { Axis, SideAxis } from "./Axis"
import { dodge } from "./dodge"
import { Figure } from "./figure"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { axisWords, linear, type Scale, scoreScale } from "./scale"
import { bandPath, linePath, px } from "./shapes"
import { textWidth } from "./text"

export interface Curve {
  /** `pass@k` or `pass^k`: stands at the end of its line. */
  name: string
  points: readonly { k: number; value: number; interval?: Ends | null }[]
}

export interface CurvesProps {
  /** At most two. */
  curves: readonly Curve[]
  caption?: string
  width?: number
  height?: number
  zoom?: boolean
}

const LEFT = 34
const TOP = 8

/** pass@k and pass^k over k, with bands; names stand at the line ends instead of in a legend. */
export function Curves({ curves: given, caption, width = 360, height = 180, zoom = false }: CurvesProps) {
  const curves = given.map((curve) => ({ ...curve, points: [...curve.points].sort((a, b) => a.k - b.k) }))
  const all = curves.flatMap((curve) => curve.points)
  const right = width - Math.max(0, ...curves.map((curve) => textWidth(endText(curve)))) - 10
  const bottom = height - 34
  const y = scoreScale(all.flatMap((point) => [point.value, ...(point.interval ?? [])]), [bottom, TOP], zoom)
  const x = wholeScale(all.map((point) => point.k), [LEFT + 8, right - 8])
  const ends = dodge(curves.map((curve) => y.inside(curve.points.at(-1)?.value ?? 0)), 14, TOP + 4, bottom)
  const words = axisWords(y.domain)
  return (
    <Figure
      caption={caption ?? curvesSentence(curves)} width={width} height={height} marks={curveMarks(curves, x, y)}
      marksName="values of k" table={curveTable(curves)}
    >
      <SideAxis scale={y} at={LEFT} gridTo={right} />
      <Axis scale={x} at={bottom} />
      <text
        className={`${css.tick} ${css.middle}`} x={px((LEFT + right) / 2)} y={height - 6}
      >
        {words ? `k trials; ${words}` : "k trials"}
      </text>
      {curves.map((curve, index) => (
        <g key={curve.name} className={index ? css.second : css.first}>
          <path
            className={css.band}
            d={
              bandPath(
                curve.points.flatMap(
                  ({ k, interval }) => (
                    interval ? [{ x: x.at(k), low: y.inside(interval[0]), high: y.inside(interval[1]) }] : []
                  )
                )
              )
            }
          />
          <path
            className={index ? `${css.curve} ${css.dashed}` : css.curve}
            d={linePath(curve.points.map(({ k, value }) => [x.at(k), y.inside(value)]))}
          />
          {curve.points.map(({ k, value }) => (
            <circle key={k} className={css.dot} cx={px(x.at(k))} cy={px(y.inside(value))} r={3.5} />
          ))}
          <text className={css.text} x={px(right + 4)} y={px((ends[index] ?? 0) + 4)}>{endText(curve)}</text>
        </g>
      ))}
    </Figure>
  )
}

/** Ticks at whole numbers only. */
export function wholeScale(values: readonly number[], range: Ends): Scale {
  const [low, high] = [Math.min(...values, 1), Math.max(...values, 1)]
  const scale = linear([low, high > low ? high : low + 1], range, 8, (value) => String(value))
  return { ...scale, ticks: scale.ticks.filter((tick) => Number.isInteger(tick.value) && tick.value <= high) }
}

function endText(curve: Curve): string {
  const last = curve.points.at(-1)
  return last ? `${curve.name} ${scoreText(last.value)}` : curve.name
}

function curveMarks(curves: readonly Curve[], x: Scale, y: Scale): Mark[] {
  return ks(curves).map((k) => ({
    id: String(k), title: `k = ${k}`, x: x.at(k), y: (y.range[0] + y.range[1]) / 2, width: 18,
    height: y.range[0] - y.range[1],
    details: curves.flatMap(
      (curve) => curve.points.filter((point) => point.k === k).map(
        (point) => [curve.name, `${scoreText(point.value)} (${intervalText(point.interval)})`] as const
      )
    ),
  }))
}

function ks(curves: readonly Curve[]): number[] {
  return [...new Set(curves.flatMap((curve) => curve.points.map((point) => point.k)))].sort((a, b) => a - b)
}

function curveTable(curves: readonly Curve[]) {
  const cells = (curve: Curve, k: number) => {
    const point = curve.points.find((point) => point.k === k)
    return point ? [scoreText(point.value), intervalText(point.interval)] : ["–", "–"]
  }
  return {
    head: ["k", ...curves.flatMap((curve) => [curve.name, `${curve.name} 95 % interval`])],
    rows: ks(curves).map((k) => [String(k), ...curves.flatMap((curve) => cells(curve, k))]),
  }
}

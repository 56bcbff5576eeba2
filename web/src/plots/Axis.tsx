import css from "./marks.module.css"
import { axisWords, type Scale, sparse } from "./scale"
import { px } from "./shapes"
import { textWidth } from "./text"

export interface AxisProps {
  scale: Scale
  /** Where the axis line lies: y of a horizontal axis. */
  at: number
  /** Lines across the plot: from this y to the axis. */
  gridFrom?: number
  /** Said beside the axis, such as "log scale"; a zoomed score axis says its ends by itself. */
  words?: string | null
  /** A score axis names its ends when they are not 0 and 1. */
  scores?: boolean
}

/** A horizontal axis with ticks; where it does not show the whole of 0 to 1 it has a break sign and says so. */
export function Axis({ scale, at, gridFrom, words, scores = false }: AxisProps) {
  const [left, right] = scale.range
  const widest = Math.max(0, ...scale.ticks.map((tick) => textWidth(tick.text, 11)))
  const shown = sparse(scale.ticks, widest + 8)
  const zoomed = scores ? axisWords(scale.domain) : null
  const said = words ?? zoomed
  const lineText = at + 14
  return (
    <g>
      {gridFrom !== undefined &&
        shown.map((tick) => <path key={tick.value} className={css.grid} d={`M${px(tick.at)} ${gridFrom}V${at}`} />)}
      <path className={css.axis} d={`M${px(left)} ${at}H${px(right)}`} />
      {zoomed && <path className={css.axis} d={`M${px(left - 6)} ${at + 3}l4 -6M${px(left - 3)} ${at + 3}l4 -6`} />}
      {shown.map((tick) => (
        <g key={tick.value}>
          <path className={css.axis} d={`M${px(tick.at)} ${at}v3`} />
          <text className={`${css.tick} ${css.middle}`} x={px(tick.at)} y={lineText}>{tick.text}</text>
        </g>
      ))}
      {said && <text className={`${css.tick} ${css.end}`} x={px(right)} y={lineText + 13}>{said}</text>}
    </g>
  )
}

/** How much height an axis takes below its line. */
export function axisHeight(hasWords: boolean): number {
  return hasWords ? 32 : 20
}

export interface SideAxisProps {
  scale: Scale
  /** x of the axis line. */
  at: number
  /** Lines across the plot: from the axis to this x. */
  gridTo?: number
  /** Least pixels between two texts. */
  gap?: number
  /** Only the ends of the axis are named, for small pictures. */
  endsOnly?: boolean
}

/** A vertical axis at the left of a plot. */
export function SideAxis({ scale, at, gridTo, gap = 16, endsOnly = false }: SideAxisProps) {
  const kept = sparse(scale.ticks, gap)
  const shown = endsOnly ? kept.filter((_, index) => index === 0 || index === kept.length - 1) : kept
  return (
    <g>
      {shown.map((tick) => (
        <g key={tick.value}>
          <path className={css.grid} d={`M${px(at)} ${px(tick.at)}H${px(gridTo ?? at)}`} />
          <text className={`${css.tick} ${css.end}`} x={px(at - 5)} y={px(tick.at + 4)}>{tick.text}</text>
        </g>
      ))}
    </g>
  )
}

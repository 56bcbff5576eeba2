import type { Ends } from "../words/format"
import css from "./SpanBar.module.css"
import { px } from "./shapes"
import { spanGeometry } from "./spans"

export interface SpanBarProps {
  /** Milliseconds from the start of the trace. */
  start: number
  /** Milliseconds; null while it runs, or when its end is not known. */
  duration: number | null
  /** How long the whole trace is, in milliseconds. */
  total: number
  /** When the span's children ran, as [start, end] in milliseconds of the trace; the rest is the span's own time. */
  children?: readonly Ends[]
  error?: boolean
  /** One small dot per score at the end of the row. */
  scores?: number
  width: number
  height?: number
  /** Positions by logarithm, for traces with one very long span. */
  log?: boolean
}

/** One row of a waterfall: own time dark, children's time light. The row's label says the same in words. */
export function SpanBar({
  start, duration, total, children = [], error = false, scores = 0, width, height = 16, log = false,
}: SpanBarProps) {
  const shape = spanGeometry({ start, duration, total, children, width, log, scores })
  const [top, tall] = [height / 2 - 4, 8]
  return (
    <svg
      className={error ? css.error : css.span} width={width} height={height} viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <rect
        className={css.whole} x={shape.bar[0]} y={top} width={px(shape.bar[1] - shape.bar[0])} height={tall} rx={1}
      />
      {shape.own.map(([from, to]) => (
        <rect key={from} className={css.own} x={from} y={top} width={px(to - from)} height={tall} />
      ))}
      {shape.open && <path className={css.open} d={`M${shape.bar[1]} ${top}l4 4l-4 4`} />}
      {error && <path className={css.cross} d={`M${shape.cross - 3} ${height / 2 - 3}l6 6m0 -6l-6 6`} />}
      {shape.dots.map((at) => <circle key={at} className={css.score} cx={at} cy={height / 2} r={2.5} />)}
    </svg>
  )
}

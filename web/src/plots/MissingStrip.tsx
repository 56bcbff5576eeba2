import { missingSentence } from "../words/announce"
import { countText, shareText } from "../words/format"
import { Figure } from "./figure"
import css from "./marks.module.css"
import { hatch, px } from "./shapes"
import { legend, type RunState, STATES, strip } from "./strip"

export interface MissingStripProps {
  scored: number
  absent: number
  failed: number
  pending: number
  caption?: string
  width?: number
  /** A state was picked: filters the runs. */
  onPick?: (state: RunState) => void
}

const TALL = 16

/** All runs of a scorer as one strip: scored, absent, failed, pending, each with its own pattern and word. */
export function MissingStrip({ scored, absent, failed, pending, caption, width = 360, onPick }: MissingStripProps) {
  const counts = { scored, absent, failed, pending }
  const total = scored + absent + failed + pending
  const segments = strip(counts, width)
  const keys = legend(counts, width)
  const marks = segments.map(({ state, from, to }) => ({
    id: state, title: state,
    details: [["runs", countText(counts[state])], ["share", shareText(counts[state] / total, total)]] as const,
    x: (from + to) / 2, y: TALL / 2, width: Math.max(6, to - from), height: TALL,
    ...(onPick && { onPick: () => onPick(state) }),
  }))
  return (
    <Figure
      caption={caption ?? missingSentence(counts)} width={width} height={TALL + 4 + keys.height} marks={marks}
      marksName="states of runs"
      table={
        {
          head: ["state", "runs", "share"],
          rows: STATES.map(
            (state) => [state, countText(counts[state]), total ? shareText(counts[state] / total, total) : "–"]
          ),
        }
      }
    >
      {segments.map(({ state, from, to }) => (
        <Swatch key={state} state={state} x={from} y={0} width={to - from} height={TALL} />
      ))}
      {segments.length === 0 && <path className={css.outline} d={`M0.5 0.5H${width - 0.5}V${TALL - 0.5}H0.5Z`} />}
      {keys.places.map(({ state, x, y, text }) => (
        <g key={state}>
          <Swatch state={state} x={x} y={TALL + 4 + y + 3} width={12} height={10} />
          <text className={css.tick} x={x + 17} y={TALL + 4 + y + 12}>{text}</text>
        </g>
      ))}
    </Figure>
  )
}

/** Scored is full, absent hatched one way, failed both ways, pending dotted. */
function Swatch(
  { state, x, y, width, height }: { state: RunState; x: number; y: number; width: number; height: number }
) {
  if (width <= 0) return null
  const box = `M${px(x + 0.5)} ${y + 0.5}H${px(x + width - 0.5)}V${y + height - 0.5}H${px(x + 0.5)}Z`
  if (state === "scored") return <rect className={css.solid} x={px(x)} y={y} width={px(width)} height={height} />
  const middle = y + height / 2
  const mirrored = `translate(${px(2 * x + width)} 0) scale(-1 1)`
  return (
    <g>
      {state === "absent" && <path className={css.hatch} d={hatch(x, y, x + width, y + height, 4)} />}
      {state === "failed" && <path className={css.cross} d={hatch(x, y, x + width, y + height, 4)} />}
      {state === "failed" && (
        <path className={css.cross} transform={mirrored} d={hatch(x, y, x + width, y + height, 4)} />
      )}
      {state === "pending" && (
        <path
          className={css.dots}
          d={`M${px(x + 2)} ${middle - 3}H${px(x + width - 1)}M${px(x + 4)} ${middle + 3}H${px(x + width - 1)}`}
        />
      )}
      <path className={css.outline} d={box} />
    </g>
  )
}

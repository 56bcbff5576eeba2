import { barWords, gateGrounds } from "../words/announce"
import { countText, deltaText, type Ends, intervalText, scoreText } from "../words/format"
import { decisionWords } from "../words/verdicts"
import { Badge } from "./Badge"
import { Figure } from "./figure"
import { IntervalMark } from "./IntervalMark"
import css from "./marks.module.css"
import { axisWords, type Scale, scoreScale } from "./scale"
import { hatch, px } from "./shapes"
import { textWidth } from "./text"

export interface GateStripProps {
  /** What is measured: `contains`, `contains.pass_at_k(3)`. */
  name: string
  decision: "pass" | "fail" | "undecided" | "cannot" | null
  value: number | null
  interval?: Ends | null
  threshold: number
  comparison?: "gte" | "gt" | "lte" | "lt"
  /** Value − threshold. */
  gap?: number | null
  /** Whether the value itself decides, or its interval. */
  bound?: "point" | "ci"
  n?: number | null
  minN?: number | null
  /** Why it is not decided, or why there is no score. */
  reason?: string | null
  /** How many more items would probably settle it. */
  moreItems?: number | null
  small?: boolean
  zoom?: boolean
  width?: number
  href?: string
  onOpen?: () => void
}

const HEIGHT = 44
const AXIS_AT = 28
const INSET = 12

/** A value against its bar: the side that passes is hatched, and the decision stands in words. */
export function GateStrip(props: GateStripProps) {
  const { name, value, interval, threshold, comparison = "gte", zoom = false, width = 320, small } = props
  const scale = scoreScale([value, ...(interval ?? []), threshold], [INSET, width - INSET], zoom)
  const bar = scale.inside(threshold)
  const passing = passingSide(scale, threshold, comparison)
  const spoken = decisionWords(value === null ? null : props.decision)
  const words = axisWords(scale.domain)
  const details = gateDetails(props)
  const mark = {
    id: name, title: `${spoken.word}: ${name}`, details, x: width / 2, y: 15, width: width - 8, height: 28,
    href: props.href, onOpen: props.onOpen,
  }
  return (
    <Figure
      caption={gateGrounds(props)} width={width} height={HEIGHT + (words ? 12 : 0)} marks={[mark]} marksName={name}
      head={<Badge shape={spoken.shape} word={spoken.word} tone={spoken.tone} />}
      table={{ head: ["gate", "value"], rows: [["decision", spoken.word], ...details] }}
    >
      <path className={css.hatch} d={hatch(passing[0], 4, passing[1], AXIS_AT, 7)} />
      <path className={css.axis} d={`M${INSET} ${AXIS_AT}H${width - INSET}`} />
      {ends(scale, bar, threshold).map(({ at, text }) => (
        <text
          key={at} className={`${css.tick} ${css.middle}`} x={px(inBox(at, text, width))} y={AXIS_AT + 13}
        >
          {text}
        </text>
      ))}
      <path className={css.threshold} d={`M${px(bar)} 2V${AXIS_AT + 3}`} />
      <text
        className={`${css.text} ${css.strong} ${css.middle}`} x={px(inBox(bar, scoreText(threshold, 2), width))}
        y={AXIS_AT + 13}
      >
        {scoreText(threshold, 2)}
      </text>
      {words && <text className={`${css.tick} ${css.end}`} x={width - INSET} y={HEIGHT + 10}>{words}</text>}
      <IntervalMark scale={scale} across={16} estimate={{ mean: value, interval }} small={small} />
    </Figure>
  )
}

/** Pixels of the side of the bar on which a value passes. */
export function passingSide(scale: Scale, threshold: number, comparison: string): Ends {
  const bar = scale.inside(threshold)
  return comparison === "lte" || comparison === "lt" ? [scale.range[0], bar] : [bar, scale.range[1]]
}

/** The ends of the axis, without those that the bar's number would cover. */
function ends(scale: Scale, bar: number, threshold: number): { at: number; text: string }[] {
  const room = textWidth(scoreText(threshold, 2)) / 2 + 12
  return [0, 1]
    .map((side) => ({ at: scale.range[side] as number, text: scoreText(scale.domain[side], zoomDigits(scale.domain)) }))
    .filter(({ at }) => Math.abs(at - bar) >= room)
}

function zoomDigits(domain: Ends): number {
  return Number.isInteger(domain[0]) && Number.isInteger(domain[1]) ? 0 : 2
}

function inBox(at: number, text: string, width: number): number {
  const half = textWidth(text) / 2
  return Math.min(width - half, Math.max(half, at))
}

function gateDetails(
  { value, interval, threshold, comparison, gap, bound, n, minN, reason, moreItems }: GateStripProps
) {
  const rows: [string, string][] = [
    ["value", scoreText(value)], ["95 % interval", intervalText(interval)],
    ["must be", barWords(comparison, threshold)],
  ]
  if (gap !== null && gap !== undefined) rows.push(["gap", deltaText(gap)])
  if (bound) rows.push(["decided by", bound === "ci" ? "the interval" : "the value"])
  if (n !== null && n !== undefined) {
    rows.push(["items", minN ? `${countText(n)} (at least ${countText(minN)})` : countText(n)])
  }
  if (moreItems) rows.push(["would settle it", `about ${countText(moreItems)} more items`])
  if (reason) rows.push(["reason", reason])
  return rows
}

import { intervalSentence, noScoreText, type Reasons, reasonsWords, sortedReasons } from "../words/announce"
import { countedReason } from "../words/counted"
import { countText, type Ends, intervalText, scoreText } from "../words/format"
import css from "./Interval.module.css"
import { IntervalMark } from "./IntervalMark"
import marks from "./marks.module.css"
import { linear } from "./scale"
import { type Estimate, px } from "./shapes"
import { openHere, Tip } from "./Tip"
import { useTip } from "./useTip"

export interface IntervalProps extends Estimate {
  /** What was measured: the scorer's name. */
  name: string
  /** Few items (flag `small_n`): the dot is hollow. */
  small?: boolean
  /** The last gate's bar, as a dashed line. */
  threshold?: number | null
  /** Runs that have a score, and all runs. */
  scored?: number
  total?: number
  /** Why runs have no score → how many. */
  reasons?: Reasons
  /** Runs whose score is still being made. */
  pending?: number
  /** How the interval was made, in plain words. */
  method?: string | null
  /** What a reader should know before trusting it, in plain words. */
  notes?: readonly string[]
  width?: number
  height?: number
  /** The axis; 0 to 1 unless given. A column of intervals has one for all. */
  domain?: Ends
  series?: 1 | 2
  /** Prints the mean before the picture. */
  showNumber?: boolean
  /** Names only the most frequent reason in the cell; the tooltip has all. */
  short?: boolean
  /** Where the runs behind it are. */
  href?: string
  /** Opens the runs, or "why is there no score". */
  onOpen?: () => void
}

const INSET = 6

/** One estimate in a table cell: dot and whiskers, or in words why there is none. */
export function Interval(props: IntervalProps) {
  const { name, mean, reasons, pending, href, onOpen, showNumber = false } = props
  const tip = useTip<string>()
  const none = props.short ? shortReason(reasons, pending) : noScoreText(reasons, pending)
  // What can be read must be in the name of what can be pressed.
  const sentence =
    mean === null
      ? `${name}: ${none}${props.short ? `; ${reasonsWords(reasons)}` : ""}`
      : intervalSentence(props)
  const content = {
    title: name, details: intervalDetails(props), href, onOpen, linkText: mean === null ? "why" : undefined,
  }
  const hover = {
    onPointerEnter: (event: { currentTarget: Element }) => tip.show(name, event.currentTarget),
    onPointerLeave: tip.leave,
    onFocus: (event: { currentTarget: Element }) => tip.show(name, event.currentTarget),
    onBlur: tip.leave,
    onKeyDown: (event: { key: string; stopPropagation: () => void; preventDefault: () => void }) => {
      if (event.key !== "Escape" || !tip.open) return
      event.stopPropagation()
      event.preventDefault()
      tip.close()
    },
  }
  const body =
    mean === null ? (
      <span className={css.none}>{none}</span>
    ) : (
      <>
        {showNumber && <span className={css.number}>{scoreText(mean)}</span>}
        <Picture {...props} label={sentence} hidden={Boolean(href || onOpen)} />
      </>
    )
  return (
    <>
      {href ? (
        <a
          className={css.cell} href={href} aria-label={sentence} onClick={(event) => openHere(event, { href, onOpen })}
          {...hover}
        >
          {body}
        </a>
      ) : onOpen ? (
        <button type="button" className={css.cell} aria-label={sentence} onClick={onOpen} {...hover}>{body}</button>
      ) : (
        <span className={css.cell} {...hover}>{body}</span>
      )}
      {tip.open && (
        <Tip content={content} anchor={tip.open.anchor} onStay={tip.stay} onLeave={tip.leave} onClose={tip.close} />
      )}
    </>
  )
}

function Picture(props: IntervalProps & { label: string; hidden: boolean }) {
  const { width = 140, height = 18, domain = [0, 1], threshold, small, series } = props
  const scale = linear(domain, [INSET, width - INSET])
  const middle = height / 2
  const bar = threshold !== null && threshold !== undefined ? scale.inside(threshold) : null
  const naming = props.hidden ? { "aria-hidden": true } : { role: "img", "aria-label": props.label }
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} {...naming}>
      <path
        className={marks.grid}
        d={`M${INSET} ${middle}H${width - INSET}M${INSET} ${middle - 3}v6M${width - INSET} ${middle - 3}v6`}
      />
      {bar !== null && <path className={marks.threshold} d={`M${px(bar)} 0V${height}`} />}
      <IntervalMark scale={scale} across={middle} estimate={props} small={small} series={series} />
    </svg>
  )
}

/** Rows of the tooltip. */
export function intervalDetails(props: Omit<IntervalProps, "name">): [string, string][] {
  const { mean, interval, inner, bracket, threshold, scored, total, method, notes = [], reasons, pending } = props
  const rows: [string, string][] = []
  if (mean !== null) rows.push(["mean", scoreText(mean)], ["95 % interval", intervalText(interval)])
  if (inner) rows.push(["same items again", intervalText(inner)])
  if (bracket) rows.push(["if missing were 0 or 1", intervalText(bracket)])
  if (threshold !== null && threshold !== undefined) rows.push(["gate", scoreText(threshold)])
  if (scored !== undefined && total !== undefined) rows.push(["scored", `${countText(scored)} of ${countText(total)}`])
  for (const [reason, count] of sortedReasons(reasons)) rows.push([reason, countText(count)])
  if (pending) rows.push(["pending", countText(pending)])
  if (method) rows.push(["method", method])
  notes.forEach((note, index) => rows.push([index ? `note ${index + 1}` : "note", note]))
  return rows
}

/** `no score · 9 no expected_output, and 1 more reason`. */
export function shortReason(reasons?: Reasons, pending = 0): string {
  const [first, ...rest] = sortedReasons(reasons)
  if (!first) return noScoreText(reasons, pending)
  const more = rest.length + (pending ? 1 : 0)
  return `no score · ${countedReason(first[0], first[1])}${more ? ` + ${more} more` : ""}`
}

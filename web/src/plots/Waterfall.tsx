import { countWords, type Ends, scoreText } from "../words/format"
import { Axis, axisHeight } from "./Axis"
import { Figure } from "./figure"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { RowTexts } from "./RowTexts"
import { type RowLayout, rowLayout } from "./rows"
import { linear } from "./scale"
import { px } from "./shapes"
import own from "./Waterfall.module.css"
import { type Signal, signalWords, sumProblem, waterfallBars, waterfallSentence } from "./sums"

export interface WaterfallProps {
  /** In the rubric's order. */
  signals: readonly Signal[]
  /** The iteration's value; null when not scored. */
  value: number | null
  caption?: string
  width?: number
}

/** An iteration's value as the sum of its signals; what does not add up is said in red. */
export function Waterfall({ signals, value, caption, width = 720 }: WaterfallProps) {
  const texts = signals.map((signal) => ({ label: signal.name, right: signalWords(signal, value !== null), isQuiet: !signal.present }))
  const total = { label: "total", right: value === null ? "not scored" : scoreText(value) }
  const layout = rowLayout([...texts, total], width, 26)
  const scale = linear([0, 1], layout.plot)
  const bars = waterfallBars(signals)
  const problem = sumProblem(signals, value)
  const last = layout.rows.at(-1)
  const box = (from: number, to: number, middle: number) => ({
    x: px(scale.inside(from)), width: px(scale.inside(to) - scale.inside(from)), y: middle - 6, height: 12,
  })
  return (
    <Figure
      caption={caption ?? waterfallSentence(signals, value)} width={width} height={layout.axisAt + axisHeight(false)}
      marks={signalMarks(signals, layout)} marksName={countWords(signals.length, "signal")} table={signalTable(signals, value)}
      head={problem && <strong className={own.problem}>✕ {problem}. </strong>}
    >
      <RowTexts layout={layout} width={width} />
      <Axis scale={scale} at={layout.axisAt} gridFrom={0} />
      {bars.map((bar, index) => {
        const middle = layout.rows[index]?.middle ?? 0
        const next = layout.rows[index + 1]?.middle ?? middle
        const { name, present } = signals[index] ?? { name: "", present: false }
        return (
          <g key={name}>
            <path className={css.axis} d={`M${px(scale.inside(bar.to))} ${middle}V${next}`} />
            {present && <rect className={css.outline} {...box(bar.from, bar.possible, middle)} />}
            {present && <rect className={css.bar} {...box(bar.from, bar.to, middle)} />}
            {!present && <circle className={css.outline} cx={px(scale.inside(bar.from))} cy={middle} r={3.5} />}
          </g>
        )
      })}
      {value !== null && last && <rect className={css.solid} {...box(0, value, last.middle)} />}
    </Figure>
  )
}

function signalMarks(signals: readonly Signal[], layout: RowLayout): Mark[] {
  const [left, right]: Ends = layout.plot
  return signals.map((signal, index) => ({
    id: signal.name, title: signal.name, details: signalDetails(signal), href: signal.href, onOpen: signal.onOpen,
    linkText: "evidence", x: (left + right) / 2, y: layout.rows[index]?.middle ?? 0, width: right - left + 12,
    height: (layout.rows[index]?.height ?? 26) - 2,
  }))
}

function signalDetails(signal: Signal): [string, string][] {
  const rows: [string, string][] = []
  if (signal.nominalWeight !== undefined) rows.push(["weight in the rubric", scoreText(signal.nominalWeight)])
  rows.push(["weight here", scoreText(signal.effectiveWeight)])
  if (signal.present) rows.push(["its score", scoreText(signal.subScore)], ["adds", scoreText(signal.contribution)])
  if (signal.detail) rows.push([signal.present ? "from" : "absent", signal.detail])
  return rows
}

function signalTable(signals: readonly Signal[], value: number | null) {
  const rows = signals.map((signal) => [
    signal.name, signal.present ? scoreText(signal.contribution) : "absent", scoreText(signal.effectiveWeight),
    signal.present ? scoreText(signal.subScore) : "–", signal.detail ?? "–",
  ])
  return {
    head: ["signal", "adds", "weight", "its score", "detail"],
    rows: [...rows, ["total", value === null ? "not scored" : scoreText(value), "–", "–", "–"]],
  }
}

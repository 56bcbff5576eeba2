import { deltasSentence } from "../words/announce"
import { countText, countWords, deltaIntervalText, deltaText, scoreText } from "../words/format"
import { SideAxis } from "./Axis"
import { Figure } from "./figure"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { type DeltaBar, type DeltaItem, deltaBars } from "./points"
import { type Scale, symmetric } from "./scale"
import { px } from "./shapes"

export interface DeltaStripProps {
  items: readonly DeltaItem[]
  caption?: string
  width?: number
  height?: number
  /** Enter or a click on a bar: the items in it. */
  onOpen?: (ids: readonly string[]) => void
}

const LEFT = 44
const MOST = 300 // bars, so that each is two pixels wide at least

/** Items sorted by their change, one bar each: shows whether the change is few large or many small. */
export function DeltaStrip({ items, caption, width = 640, height = 120, onOpen }: DeltaStripProps) {
  const bars = deltaBars(items, Math.min(MOST, Math.floor((width - LEFT) / 2)))
  const y = symmetric(bars.flatMap((bar) => bar.range), [height - 20, 6])
  const step = bars.length ? Math.min(12, (width - LEFT - 4) / bars.length) : 1
  const size = bars[0]?.items.length ?? 1
  const zero = px(y.at(0))
  const foot =
    size > 1
      ? `sorted by change; one bar per ${countText(size)} items`
      : "sorted by change; one bar per item"
  return (
    <Figure
      caption={caption ?? deltasSentence(items.map((item) => item.delta))} width={width} height={height}
      marks={barMarks(bars, y, step, onOpen)}
      marksName={countWords(bars.length, "bar")} table={stripTable(bars)}
    >
      <SideAxis scale={y} at={LEFT} gridTo={width} />
      <path className={css.zero} d={`M${LEFT} ${zero}H${width}`} />
      {bars.map((bar, index) => {
        const end = y.at(bar.delta)
        const flat = Math.abs(end - zero) < 1
        return (
          <rect
            key={bar.items[0]?.id} className={flat ? css.same : bar.delta > 0 ? css.good : css.bad}
            x={px(LEFT + 2 + index * step)} width={px(Math.max(1.5, step - (step > 3 ? 1 : 0.4)))}
            y={px(flat ? zero - 1 : Math.min(zero, end))} height={px(flat ? 2 : Math.abs(end - zero))}
          />
        )
      })}
      <text className={css.tick} x={LEFT} y={height - 4}>{foot}</text>
    </Figure>
  )
}

function barMarks(bars: readonly DeltaBar[], y: Scale, step: number, onOpen: DeltaStripProps["onOpen"]): Mark[] {
  const [bottom, top] = y.range
  return bars.map((bar, index) => {
    const [first] = bar.items
    const single = bar.items.length === 1
    return {
      id: first?.id ?? String(index),
      title: single && first ? (first.label ?? first.id) : `${countText(bar.items.length)} items`,
      details: barDetails(bar), x: LEFT + 2 + (index + 0.5) * step, y: (top + bottom) / 2, width: Math.max(2, step),
      height: bottom - top,
      ...(
        onOpen && {
          onOpen: () => onOpen(bar.items.map((item) => item.id)),
          linkText: single ? "open the item" : "show these items",
        }
      ),
    }
  })
}

function barDetails({ delta, range, items }: DeltaBar): [string, string][] {
  const [first] = items
  if (items.length > 1 || !first) return [["mean change", deltaText(delta)], ["from, to", deltaIntervalText(range)]]
  const rows: [string, string][] = [["change", deltaText(delta)]]
  if (first.base !== undefined) rows.push(["base", scoreText(first.base)])
  if (first.candidate !== undefined) rows.push(["candidate", scoreText(first.candidate)])
  return rows
}

function stripTable(bars: readonly DeltaBar[]) {
  return {
    head: ["item", "change", "base", "candidate"],
    rows: bars.flatMap(
      (bar) => bar.items.map(
        (item) => [item.label ?? item.id, deltaText(item.delta), scoreText(item.base), scoreText(item.candidate)]
      )
    ),
  }
}

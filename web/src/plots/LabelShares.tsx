import { sharesSentence } from "../words/announce"
import { countText, type Ends, shareIntervalText, shareText } from "../words/format"
import { Axis, axisHeight } from "./Axis"
import { Figure } from "./figure"
import { IntervalMark } from "./IntervalMark"
import { RowTexts } from "./RowTexts"
import { rowLayout } from "./rows"
import { linear } from "./scale"

export interface LabelShare {
  label: string
  count: number
  share: number
  interval?: Ends | null
  href?: string
  onOpen?: () => void
}

export interface LabelSharesProps {
  /** The scorer. */
  name: string
  labels: readonly LabelShare[]
  /** All labels given. */
  total: number
  caption?: string
  width?: number
}

/** How often each label was given, as shares with intervals, the most frequent first. */
export function LabelShares({ name, labels: given, total, caption, width = 480 }: LabelSharesProps) {
  const labels = [...given].sort((a, b) => b.share - a.share || (a.label < b.label ? -1 : 1))
  const layout = rowLayout(
    labels.map((label) => ({ label: label.label, right: `${shareText(label.share, total)} (${countText(label.count)})` })),
    width, 24,
  )
  const scale = linear([0, 1], layout.plot, 5, (value) => shareText(value))
  const [left, right] = layout.plot
  const marks = labels.map((label, index) => ({
    id: label.label, title: label.label, href: label.href, onOpen: label.onOpen, x: (left + right) / 2,
    y: layout.rows[index]?.middle ?? 0,
    width: right - left + 12, height: (layout.rows[index]?.height ?? 24) - 2,
    details: [
      ["share", shareText(label.share, total)], ["95 % interval", shareIntervalText(label.interval, total)],
      ["count", `${countText(label.count)} of ${countText(total)}`],
    ] as const,
  }))
  return (
    <Figure
      caption={caption ?? `${name}: ${sharesSentence(labels, total)}`} width={width}
      height={layout.axisAt + axisHeight(false)} marks={marks} marksName={`${name}, labels`}
      table={
        {
          head: ["label", "count", "share", "95 % interval"],
          rows: labels.map(
            (one) => [
              one.label, countText(one.count), shareText(one.share, total), shareIntervalText(one.interval, total),
            ]
          ),
        }
      }
    >
      <RowTexts layout={layout} width={width} />
      <Axis scale={scale} at={layout.axisAt} gridFrom={0} />
      {labels.map((label, index) => (
        <IntervalMark
          key={label.label} scale={scale} across={layout.rows[index]?.middle ?? 0}
          estimate={{ mean: label.share, interval: label.interval }}
        />
      ))}
    </Figure>
  )
}

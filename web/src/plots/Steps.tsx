import { max, sum } from "d3-array"
import { countText, countWords, shareIntervalText, shareText } from "../words/format"
import { momentText } from "../words/time"
import { Axis, axisHeight, SideAxis } from "./Axis"
import { Figure } from "./figure"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { linear, type Scale, timeScale } from "./scale"
import { bandPath, linePath, px } from "./shapes"
import { type Bucket, rates, stepPath, wilson } from "./buckets"

export interface StepsProps {
  /** What is counted: "trace". */
  noun: string
  buckets: readonly Bucket[]
  caption?: string
  width?: number
  /** Height of each of the two panels. */
  height?: number
  /** A bucket was picked: sets the time range of the table. */
  onRange?: (from: number, to: number) => void
}

const LEFT = 40
const RIGHT = 20
const TITLE = 16

/** Counts per bucket as steps; below them, where errors are known, their rate as a line with Wilson's band. */
export function Steps({ noun, buckets, caption, width = 320, height = 56, onRange }: StepsProps) {
  const [first, last] = [buckets[0], buckets.at(-1)]
  const x = timeScale([first?.from ?? 0, last?.to ?? 0], [LEFT, width - RIGHT], Math.max(2, Math.floor(width / 80)))
  const counts = linear([0, max(buckets, (bucket) => bucket.count) || 1], [TITLE + height, TITLE], 2, countText)
  const found = rates(buckets)
  const top = TITLE + height + TITLE + 6
  const highest = max(found.flat(), (rate) => rate.interval[1]) ?? 0.1
  const shares = linear([0, Math.min(1, Math.max(0.05, highest))], [top + height, top], 2, (value) => shareText(value))
  const foot = found.length ? top + height : TITLE + height
  return (
    <Figure
      caption={caption ?? stepsSentence(noun, buckets)} width={width} height={foot + axisHeight(false)}
      marks={stepMarks(noun, buckets, x, foot, onRange)}
      marksName={countWords(buckets.length, "span of time", "spans of time")} table={stepTable(noun, buckets)}
    >
      <text className={css.tick} x={0} y={10}>{noun}s</text>
      <SideAxis scale={counts} at={LEFT} gridTo={width - RIGHT} />
      <path className={css.bar} d={stepPath(buckets, x, counts)} />
      {found.length > 0 && (
        <g className={css.second}>
          <text className={css.tick} x={0} y={top - 6}>error rate</text>
          <SideAxis scale={shares} at={LEFT} gridTo={width - RIGHT} />
          {found.map((stretch) => (
            <g key={stretch[0]?.at}>
              <path
                className={css.band}
                d={
                  bandPath(
                    stretch.map(
                      (rate) => (
                        {
                          x: x.at(rate.at), low: shares.inside(rate.interval[0]), high: shares.inside(rate.interval[1]),
                        }
                      )
                    )
                  )
                }
              />
              <path
                className={css.curve} d={linePath(stretch.map((rate) => [x.at(rate.at), shares.inside(rate.share)]))}
              />
              {stretch.length === 1 && stretch.map((rate) => (
                <circle
                  key={rate.at} className={css.dot} cx={px(x.at(rate.at))} cy={px(shares.inside(rate.share))} r={2.5}
                />
              ))}
            </g>
          ))}
        </g>
      )}
      <Axis scale={x} at={foot} />
    </Figure>
  )
}

function stepsSentence(noun: string, buckets: readonly Bucket[]): string {
  const total = sum(buckets, (bucket) => bucket.count)
  const known = buckets.filter((bucket) => bucket.errors !== undefined)
  const [errors, n] = [sum(known, (bucket) => bucket.errors), sum(known, (bucket) => bucket.count)]
  const rate = n ? `, ${shareText(errors / n, n)} with an error (${shareIntervalText(wilson(errors, n), n)})` : ""
  return `${countWords(total, noun)}${rate}`
}

function stepMarks(
  noun: string, buckets: readonly Bucket[], x: Scale, foot: number, onRange?: StepsProps["onRange"],
): Mark[] {
  return buckets.map((bucket) => ({
    id: String(bucket.from), title: momentText(bucket.from), details: stepDetails(noun, bucket),
    x: (x.at(bucket.from) + x.at(bucket.to)) / 2, y: (TITLE + foot) / 2,
    width: Math.max(4, x.at(bucket.to) - x.at(bucket.from)), height: foot - TITLE,
    ...(onRange && { onPick: () => onRange(bucket.from, bucket.to) }),
  }))
}

function stepDetails(noun: string, { count, errors, to }: Bucket): [string, string][] {
  const rows: [string, string][] = [["until", momentText(to)], [`${noun}s`, countText(count)]]
  if (errors !== undefined) rows.push(["errors", countText(errors)])
  if (errors !== undefined && count) {
    rows.push(
      ["error rate", shareText(errors / count, count)],
      ["95 % interval", shareIntervalText(wilson(errors, count), count)],
    )
  }
  return rows
}

function stepTable(noun: string, buckets: readonly Bucket[]) {
  return {
    head: ["from", `${noun}s`, "errors", "error rate", "95 % interval"],
    rows: buckets.map(({ from, count, errors }) => [
      momentText(from), countText(count), countText(errors),
      count && errors !== undefined ? shareText(errors / count, count) : "–",
      errors === undefined ? "–" : shareIntervalText(wilson(errors, count), count),
    ]),
  }
}

// Counts per span of time, and the share of errors with its interval. All of it is pure.
import type { Ends } from "../words/format"
import type { Scale } from "./scale"
import { px } from "./shapes"

export interface Bucket {
  /** Milliseconds; `to` is the next bucket's `from`. */
  from: number
  to: number
  count: number
  /** How many of them are errors; unless given, no rate is drawn. */
  errors?: number
}

const Z95 = 1.959963984540054

/** Wilson's 95 % interval of a share, or null without cases. */
export function wilson(count: number, n: number): Ends | null {
  if (!(n > 0)) return null
  const share = Math.min(1, Math.max(0, count / n))
  const weight = Z95 ** 2 / n
  const middle = (share + weight / 2) / (1 + weight)
  const reach = (Z95 / (1 + weight)) * Math.sqrt((share * (1 - share)) / n + weight / (4 * n))
  return [Math.max(0, share === 0 ? 0 : middle - reach), Math.min(1, share === 1 ? 1 : middle + reach)]
}

/** An area that rises and falls in steps, closed at the foot. */
export function stepPath(buckets: readonly Bucket[], x: Scale, y: Scale): string {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (!first || !last) return ""
  const foot = px(y.range[0])
  const steps = buckets.map((bucket) => `L${px(x.at(bucket.from))} ${px(y.at(bucket.count))}H${px(x.at(bucket.to))}`)
  return `M${px(x.at(first.from))} ${foot}${steps.join("")}V${foot}Z`
}

export interface Rate {
  at: number
  share: number
  interval: Ends
}

/** The error rate of each bucket in its middle, in stretches without a gap: a bucket without cases has no rate. */
export function rates(buckets: readonly Bucket[]): Rate[][] {
  const stretches: Rate[][] = []
  let open = false
  for (const { from, to, count, errors } of buckets) {
    const interval = errors === undefined ? null : wilson(errors, count)
    if (interval && errors !== undefined) {
      const rate = { at: (from + to) / 2, share: errors / count, interval }
      if (open) stretches.at(-1)?.push(rate)
      else stretches.push([rate])
    }
    open = interval !== null
  }
  return stretches
}

// Counts of runs by state as one strip. All of it is pure.
import { countText } from "../words/format"
import { textWidth } from "./text"

export type RunState = "scored" | "absent" | "failed" | "pending"
export const STATES: readonly RunState[] = ["scored", "absent", "failed", "pending"]
export type Counts = Readonly<Record<RunState, number>>

const LEAST = 3 // pixels, so that one run in a thousand is seen
const LINE = 18

/** Left and right of each state that has runs; together they fill the width. */
export function strip(counts: Counts, width: number): { state: RunState; from: number; to: number }[] {
  const present = STATES.filter((state) => counts[state] > 0)
  const total = present.reduce((sum, state) => sum + counts[state], 0)
  if (total === 0) return []
  const wanted = present.map((state) => Math.max(LEAST, (counts[state] / total) * width))
  const scale = width / wanted.reduce((sum, one) => sum + one, 0)
  let from = 0
  return present.map((state, index) => {
    const to = index === present.length - 1 ? width : from + (wanted[index] ?? 0) * scale
    const segment = { state, from, to }
    from = to
    return segment
  })
}

/** Where the words for each state stand, in as many lines as they need. */
export function legend(counts: Counts, width: number) {
  let [x, y] = [0, 0]
  const places = STATES.map((state) => {
    const text = `${state} ${countText(counts[state])}`
    const room = 17 + textWidth(text, 11) + 12
    if (x > 0 && x + room > width) [x, y] = [0, y + LINE]
    const place = { state, x, y, text }
    x += room
    return place
  })
  return { places, height: y + LINE }
}

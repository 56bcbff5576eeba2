// Two texts compared, within a bound: words where that is quick, else lines, else not at all.
import { diffLines, diffWordsWithSpace } from "diff"

export interface Part {
  text: string
  kind: "same" | "added" | "removed"
}

export interface Difference {
  by: "words" | "lines" | "nothing"
  parts: Part[]
}

const WORDS = 20_000
const LINES = 400_000

/** What was removed from `before` and added in `after`. `by: "nothing"` where comparing would take too long. */
export function differenceOf(before: string, after: string, timeout = 250): Difference {
  if (before === after) return { by: "words", parts: before === "" ? [] : [{ text: before, kind: "same" }] }
  const size = before.length + after.length
  if (size <= WORDS) {
    const changes = diffWordsWithSpace(before, after, { timeout })
    if (changes) return { by: "words", parts: readable(changes.map(partOf), before, after) }
  }
  if (size <= LINES) {
    const changes = diffLines(before, after, { timeout })
    if (changes) return { by: "lines", parts: changes.map(partOf) }
  }
  return { by: "nothing", parts: [] }
}

const LEAST_SHARED = 0.35

/** Texts with little in common read better as a whole each than as a patchwork of single words. */
function readable(parts: Part[], before: string, after: string): Part[] {
  const shared = parts.reduce((sum, part) => sum + (part.kind === "same" ? part.text.trim().length : 0), 0)
  if (shared >= LEAST_SHARED * Math.min(before.trim().length, after.trim().length)) return parts
  const whole: Part[] = [
    { text: before, kind: "removed" },
    { text: after, kind: "added" },
  ]
  return whole.filter((part) => part.text !== "")
}

function partOf(change: { value: string; added?: boolean; removed?: boolean }): Part {
  return { text: change.value, kind: change.added ? "added" : change.removed ? "removed" : "same" }
}

/** One side of the comparison. */
export function sideOf(parts: readonly Part[], side: "before" | "after"): Part[] {
  return parts.filter((part) => part.kind !== (side === "before" ? "added" : "removed"))
}

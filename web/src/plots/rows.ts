// Pictures with one row per name: labels at the left, one shared axis, words at the right.
import type { Ends } from "../words/format"
import { textWidth, wrapped } from "./text"

export const LINE = 15
const GAP = 12
export const PAD = 6
const AXIS = 22

export interface RowLayout {
  /** Left and right pixel of the shared axis. */
  plot: Ends
  rightAt: number
  rows: { top: number; middle: number; height: number; label: string[]; right: string[]; isQuiet?: boolean }[]
  /** Where the axis line lies. */
  axisAt: number
  height: number
}

export interface RowText {
  label: string
  right?: string
  /** Grey: there is nothing to read in this row but why. */
  isQuiet?: boolean
}

/** Room for each row. Texts get more lines instead of being cut; the axis keeps at least a third of the width. */
export function rowLayout(texts: readonly RowText[], width: number, least = 24, head = 0): RowLayout {
  const inset = 8
  const pad = PAD
  const widest = (pick: (row: RowText) => string) => Math.max(0, ...texts.map((row) => textWidth(pick(row))))
  const right = Math.min(widest((row) => row.right ?? ""), width * 0.34)
  const label = Math.min(widest((row) => row.label), width * (right ? 0.3 : 0.42))
  const plot: Ends = [pad + label + GAP + inset, width - (right ? right + GAP + pad : 0) - inset]
  let top = head
  const rows = texts.map((row) => {
    const lines = { label: wrapped(row.label, label + 1), right: row.right ? wrapped(row.right, right + 1) : [] }
    const height = Math.max(least, Math.max(lines.label.length, lines.right.length) * LINE + 8)
    const placed = { top, middle: top + height / 2, height, ...lines, isQuiet: row.isQuiet ?? false }
    top += height
    return placed
  })
  return { plot, rightAt: width - right - pad, rows, axisAt: top + 2, height: top + 2 + AXIS }
}

/** Baseline of each line of a text that stands in the middle of a row. */
export function baselines(middle: number, lines: number): number[] {
  const first = middle - ((lines - 1) * LINE) / 2 + 4
  return Array.from({ length: lines }, (_, index) => first + index * LINE)
}

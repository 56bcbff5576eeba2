// Rows of a CSV text (RFC 4180), each with the line it begins on. A row that cannot be read is one of its own.

export interface CsvRow {
  /** Counted from 1. */
  line: number
  cells: string[]
  /** Why the row cannot be read. */
  problem?: string
}

const QUOTE = '"'

export function* csvRows(text: string, separator = ","): Generator<CsvRow> {
  let at = 0
  let line = 1
  while (at < text.length) {
    const row: CsvRow = { line, cells: [] }
    for (;;) {
      const cell = text[at] === QUOTE ? quoted(text, at, separator) : plain(text, at, separator)
      row.cells.push(cell.value)
      if (cell.problem !== undefined) row.problem ??= cell.problem
      line += cell.lines
      at = cell.end
      if (text[at] !== separator) break
      at += 1
    }
    if (text[at] === "\r") at += 1
    if (text[at] === "\n") at += 1
    line += 1
    // An empty line is no row.
    if (row.cells.length > 1 || row.cells[0] !== "" || row.problem !== undefined) yield row
  }
}

interface Cell {
  value: string
  end: number
  /** Line ends inside of it. */
  lines: number
  problem?: string
}

function plain(text: string, from: number, separator: string): Cell {
  let end = from
  while (end < text.length && text[end] !== separator && !isLineEnd(text, end)) end += 1
  return { value: text.slice(from, end), end, lines: 0 }
}

function quoted(text: string, from: number, separator: string): Cell {
  let value = ""
  let begin = from + 1
  for (;;) {
    const end = text.indexOf(QUOTE, begin)
    if (end < 0) {
      const rest = text.slice(from)
      return { value: rest, end: text.length, lines: lineEnds(rest), problem: "a quote is opened and never closed" }
    }
    value += text.slice(begin, end)
    if (text[end + 1] === QUOTE) {
      value += QUOTE
      begin = end + 2
      continue
    }
    const after = plain(text, end + 1, separator)
    const lines = lineEnds(text.slice(from, end))
    if (after.value === "") return { value, end: end + 1, lines }
    return { value, end: after.end, lines, problem: "text follows a closing quote; double the quotes inside a quoted cell" }
  }
}

function isLineEnd(text: string, at: number): boolean {
  return text[at] === "\n" || (text[at] === "\r" && (text[at + 1] === "\n" || at + 1 === text.length))
}

function lineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1
  return count
}

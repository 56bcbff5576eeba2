// From a chosen file to the lines of JSON that the server reads, and from its answer back to the file's lines.
import type { Imported } from "../../api/datasets"
import { bytesText, countText } from "../../words/format"
import type { CsvRow } from "./csv"
import { csvRows } from "./csv"

export const LARGEST_CSV = 50_000_000
const OWN_COLUMNS = new Set(["input", "expected_output", "metadata", "key", "id"])

export interface Skipped {
  line: number
  reason: string
}

/** What will be sent. Lines of JSON go as they are; CSV is turned into them here. */
export interface Prepared {
  format: "NDJSON" | "CSV"
  lines: Blob
  /** Lines of the file behind the lines that are sent; undefined where they are the same. */
  lineOf?: number[]
  /** Rows that could not be read here, and so are not sent. */
  skipped: Skipped[]
  /** Columns of a CSV file that become metadata. */
  others: string[]
}

export function isTable(name: string): boolean {
  return /\.(csv|tsv)$/i.test(name)
}

/** Throws an Error with words for the reader when the file as a whole cannot be read. */
export async function prepare(file: File): Promise<Prepared> {
  if (!isTable(file.name)) return { format: "NDJSON", lines: file, skipped: [], others: [] }
  if (file.size > LARGEST_CSV) {
    throw new Error(`The file has ${bytesText(file.size)}; CSV is read up to ${bytesText(LARGEST_CSV)}. Save it as NDJSON, which has no limit.`)
  }
  const table = tableLines(decoded(await file.arrayBuffer()), /\.tsv$/i.test(file.name) ? "\t" : ",")
  return { format: "CSV", lines: new Blob([table.lines.join("\n")]), lineOf: table.lineOf, skipped: table.skipped, others: table.others }
}

function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new Error("The file is not UTF-8; save it as UTF-8.")
  }
}

interface Table {
  lines: string[]
  lineOf: number[]
  skipped: Skipped[]
  others: string[]
}

/** Each row as a line of JSON. The first row names the columns; columns without a meaning of their own become metadata. */
export function tableLines(text: string, separator: string): Table {
  const rows = csvRows(text, separator)
  const head = rows.next().value as CsvRow | undefined
  if (!head) throw new Error("The file is empty; its first line names the columns.")
  const columns = head.cells.map((cell) => cell.trim())
  checkColumns(columns)
  const table: Table = { lines: [], lineOf: [], skipped: [], others: columns.filter((name) => !OWN_COLUMNS.has(name)) }
  for (const row of rows) {
    const read = row.problem !== undefined ? row.problem : itemOf(columns, row.cells)
    if (typeof read === "string") table.skipped.push({ line: row.line, reason: read })
    else {
      table.lines.push(JSON.stringify(read))
      table.lineOf.push(row.line)
    }
  }
  return table
}

function checkColumns(columns: string[]): void {
  if (!columns.includes("input")) {
    throw new Error(`The first line names the columns, and none is “input”, only ${columns.slice(0, 10).join(", ")}. Rename the one with the questions.`)
  }
  const twice = columns.find((name, at) => columns.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`Two columns are named “${twice}”; rename one of them.`)
  if (columns.includes("key") && columns.includes("id")) throw new Error("There is a column “key” and a column “id”, which mean the same; remove one.")
}

/** An item, or why the row is none. An empty cell leaves something out. */
function itemOf(columns: string[], cells: string[]): Record<string, unknown> | string {
  if (cells.length !== columns.length) {
    return `${countText(cells.length)} cells where the first line has ${countText(columns.length)}; quote cells that hold a separator`
  }
  const item: Record<string, unknown> = {}
  const others: Record<string, string> = {}
  let metadata: Record<string, unknown> = {}
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? ""
    if (cell === "") continue
    if (column === "metadata") {
      const read = objectOf(cell)
      if (read === undefined) return "metadata is not a JSON object"
      metadata = read
    } else if (column === "id" || column === "key") item["key"] = cell
    else if (OWN_COLUMNS.has(column)) item[column] = cell
    else others[column] = cell
  }
  if (item["input"] === undefined) return "the input is empty"
  const both = Object.keys(others).find((name) => Object.hasOwn(metadata, name))
  if (both !== undefined) return `“${both}” is a column and also a key of metadata`
  const all = { ...metadata, ...others }
  return Object.keys(all).length > 0 ? { ...item, metadata: all } : item
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Skipped here and there, by the lines of the file. */
export function allSkipped(prepared: Prepared, imported: Imported): { count: number; listed: Skipped[] } {
  const there = imported.skipped.map(({ line, reason }) => ({ line: prepared.lineOf?.[line - 1] ?? line, reason }))
  const listed = [...prepared.skipped, ...there].sort((a, b) => a.line - b.line)
  return { count: prepared.skipped.length + imported.skipped_count, listed }
}

// What the JSON view draws of a value: children by pages, and a short form of what is closed.

export const PAGE = 200

export type Kind = "object" | "array" | "string" | "number" | "boolean" | "null"

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return "null"
  if (Array.isArray(value)) return "array"
  const type = typeof value
  return type === "object" || type === "string" || type === "number" || type === "boolean" ? type : "string"
}

export function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return value !== null && typeof value === "object" ? Object.keys(value).length : 0
}

/** The children from `from` on, one page of them. */
export function childrenOf(value: unknown, from: number, page = PAGE): [name: string, child: unknown][] {
  if (Array.isArray(value)) return value.slice(from, from + page).map((child, index) => [String(from + index), child])
  if (value === null || typeof value !== "object") return []
  return Object.keys(value)
    .slice(from, from + page)
    .map((name) => [name, (value as Record<string, unknown>)[name]])
}

/** `{…} 3 keys`, `[…] 1,200 items` */
export function closedWords(value: unknown): string {
  const size = sizeOf(value).toLocaleString("en-US")
  return Array.isArray(value) ? `[…] ${size} ${size === "1" ? "item" : "items"}` : `{…} ${size} ${size === "1" ? "key" : "keys"}`
}

/** Open from the beginning: the first two levels, while they are short. */
export function startsOpen(value: unknown, depth: number): boolean {
  return depth < 2 && sizeOf(value) <= 20
}

/** The same value as text, for the plain view and for copying. A string is itself. */
export function jsonText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "null")
}

// Inline Markdown: emphasis, code, links. One pass with a look for the closing sign, which is remembered when absent.
import { safeHref } from "./safeHref"

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis" | "struck"; children: Inline[] }
  | { kind: "link"; label: Inline[]; address: string; href: string | null }
  | { kind: "image"; label: string; address: string }

const DEEPEST = 6
const SIGNS = [
  ["**", "strong"],
  ["__", "strong"],
  ["~~", "struck"],
  ["*", "emphasis"],
  ["_", "emphasis"],
] as const

export function inlineOf(text: string, depth = 0): Inline[] {
  const result: Inline[] = []
  // Signs that close nowhere further on: looked for once only, so that "*****…" stays cheap.
  const hopeless = new Set<string>()
  let plain = ""
  let at = 0
  function push(inline: Inline): void {
    if (plain !== "") result.push({ kind: "text", text: plain })
    plain = ""
    result.push(inline)
  }
  while (at < text.length) {
    const match = depth < DEEPEST ? inlineAt(text, at, depth, hopeless) : null
    if (match) {
      push(match.inline)
      at = match.end
    } else if (text[at] === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) {
      plain += text[at + 1]
      at += 2
    } else {
      plain += text[at]
      at += 1
    }
  }
  if (plain !== "") result.push({ kind: "text", text: plain })
  return result
}

interface Match {
  inline: Inline
  end: number
}

function inlineAt(text: string, at: number, depth: number, hopeless: Set<string>): Match | null {
  const sign = text[at] as string
  if (sign === "`") return codeAt(text, at, hopeless)
  if (sign === "[") return linkAt(text, at, depth)
  if (sign === "!" && text[at + 1] === "[") return imageAt(text, at)
  if (sign === "<") return addressAt(text, at)
  if (sign === "*" || sign === "_" || sign === "~") return emphasisAt(text, at, depth, hopeless)
  return null
}

function codeAt(text: string, at: number, hopeless: Set<string>): Match | null {
  let length = 1
  while (text[at + length] === "`" && length < 4) length += 1
  const fence = "`".repeat(length)
  if (hopeless.has(fence)) return null
  const end = text.indexOf(fence, at + length)
  if (end < 0) {
    hopeless.add(fence)
    return null
  }
  return { inline: { kind: "code", text: text.slice(at + length, end).trim() }, end: end + length }
}

function emphasisAt(text: string, at: number, depth: number, hopeless: Set<string>): Match | null {
  for (const [sign, kind] of SIGNS) {
    if (!text.startsWith(sign, at) || hopeless.has(sign)) continue
    const next = text[at + sign.length] ?? " "
    // `snake_case` and `2 * 3` are no emphasis.
    if (/\s/.test(next) || (sign[0] === "_" && /\w/.test(text[at - 1] ?? " "))) continue
    const end = closing(text, sign, at + sign.length)
    if (end < 0) {
      hopeless.add(sign)
      continue
    }
    if (end === at + sign.length) continue
    const children = inlineOf(text.slice(at + sign.length, end), depth + 1)
    return { inline: { kind, children }, end: end + sign.length }
  }
  return null
}

function closing(text: string, sign: string, from: number): number {
  for (let end = text.indexOf(sign, from); end >= 0; end = text.indexOf(sign, end + 1)) {
    const before = text[end - 1] ?? " "
    const after = text[end + sign.length] ?? " "
    if (/\s/.test(before) || before === "\\" || (sign[0] === "_" && /\w/.test(after))) continue
    if (sign.length === 1 && (after === sign || before === sign)) continue
    // In `***` the inner sign closes first.
    return sign.length === 2 && after === sign[0] && text[end + 3] !== sign[0] ? end + 1 : end
  }
  return -1
}

const FARTHEST = 2000

/** `[label](address "title")`, with a bounded look ahead. */
function bracketsAt(text: string, at: number): { label: string; address: string; end: number } | null {
  const near = text.slice(at, at + FARTHEST)
  const match = /^\[([^[\]]*)\]\(\s*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)?)>?(?:\s+"[^"]*")?\s*\)/.exec(near)
  return match ? { label: match[1] as string, address: match[2] as string, end: at + match[0].length } : null
}

function linkAt(text: string, at: number, depth: number): Match | null {
  const match = bracketsAt(text, at)
  if (!match) return null
  const { label, address, end } = match
  return { inline: { kind: "link", label: inlineOf(label, depth + 1), address, href: safeHref(address) }, end }
}

function imageAt(text: string, at: number): Match | null {
  const match = bracketsAt(text, at + 1)
  return match && { inline: { kind: "image", label: match.label, address: match.address }, end: match.end }
}

/** `<https://host>`; any other tag is text. */
function addressAt(text: string, at: number): Match | null {
  const match = /^<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/i.exec(text.slice(at, at + FARTHEST + 20))
  if (!match) return null
  const address = match[1] as string
  return { inline: { kind: "link", label: [], address, href: safeHref(address) }, end: at + match[0].length }
}

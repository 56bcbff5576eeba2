// A subset of Markdown, read into blocks. Line by line and without back-tracking: hostile text costs no more than other text.

export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "code"; text: string; language: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; ordered: boolean; start: number; items: Block[][] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "rule" }

const DEEPEST = 8
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}|\t)(.*)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]{0,30})[^`]*$/
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/
const HEADING = /^ {0,3}(#{1,6})(?: +(.*))?$/
const DIVIDER = /^ {0,3}\|?(?: *:?-+:? *\|)* *:?-+:? *\|? *$/

export function blocksOf(text: string): Block[] {
  return read(text.replaceAll("\r\n", "\n").split("\n"), 0)
}

function read(lines: string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] as string
    if (line.trim() === "") at += 1
    else {
      const [block, next] = readBlock(lines, at, depth)
      blocks.push(block)
      at = next
    }
  }
  return blocks
}

/** The block that begins at a line, and the line after it. */
function readBlock(lines: string[], at: number, depth: number): [Block, number] {
  const line = lines[at] as string
  const fence = FENCE.exec(line)
  if (fence) return readCode(lines, at, fence[1] as string, fence[2] as string)
  const heading = HEADING.exec(line)
  if (heading) {
    const text = (heading[2] ?? "").replace(/ #+ *$/, "").trim()
    return [{ kind: "heading", level: (heading[1] as string).length, text }, at + 1]
  }
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1]
  if (depth < DEEPEST && /^ {0,3}>/.test(line)) return readQuote(lines, at, depth)
  if (depth < DEEPEST && ITEM.test(line)) return readList(lines, at, depth)
  if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("|")) {
    return readTable(lines, at)
  }
  return readParagraph(lines, at, depth)
}

function readCode(lines: string[], at: number, fence: string, language: string): [Block, number] {
  const body: string[] = []
  let next = at + 1
  for (; next < lines.length; next++) {
    const trimmed = (lines[next] as string).trim()
    if (trimmed.length >= fence.length && trimmed === (fence[0] as string).repeat(trimmed.length)) {
      next += 1
      break
    }
    body.push(lines[next] as string)
  }
  return [{ kind: "code", text: body.join("\n"), language }, next]
}

function readQuote(lines: string[], at: number, depth: number): [Block, number] {
  const body: string[] = []
  let next = at
  for (; next < lines.length && /^ {0,3}>/.test(lines[next] as string); next++) {
    body.push((lines[next] as string).replace(/^ {0,3}> ?/, ""))
  }
  return [{ kind: "quote", blocks: read(body, depth + 1) }, next]
}

function readList(lines: string[], at: number, depth: number): [Block, number] {
  const first = ITEM.exec(lines[at] as string) as RegExpExecArray
  const ordered = /\d/.test(first[2] as string)
  const items: string[][] = []
  let indent = 0
  let next = at
  for (; next < lines.length; next++) {
    const line = lines[next] as string
    const item = ITEM.exec(line)
    const inside = items.length > 0 && /^\s/.test(line) && line.search(/\S/) >= indent
    if (line.trim() === "") {
      // A blank line belongs to the list only when the list goes on after it.
      const after = lines[next + 1]
      if (after === undefined || (!ITEM.test(after) && !/^ {2,}\S/.test(after))) break
      items.at(-1)?.push("")
    } else if (inside) items.at(-1)?.push(line.slice(indent))
    else if (item && !RULE.test(line) && /\d/.test(item[2] as string) === ordered) {
      items.push([item[4] as string])
      indent = (item[1] as string).length + (item[2] as string).length + 1
    } else if (item || lines[next - 1]?.trim() === "" || begins(line)) break
    else items.at(-1)?.push(line)
  }
  const start = ordered ? Number.parseInt(first[2] as string, 10) : 1
  return [{ kind: "list", ordered, start, items: items.map((item) => read(item, depth + 1)) }, next]
}

function readTable(lines: string[], at: number): [Block, number] {
  const head = cellsOf(lines[at] as string)
  const rows: string[][] = []
  let next = at + 2
  for (; next < lines.length && (lines[next] as string).includes("|"); next++) {
    const cells = cellsOf(lines[next] as string)
    rows.push(head.map((_, index) => cells[index] ?? ""))
  }
  return [{ kind: "table", head, rows }, next]
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "")
  return inner.split("|").map((cell) => cell.trim())
}

function readParagraph(lines: string[], at: number, depth: number): [Block, number] {
  const body = [lines[at] as string]
  let next = at + 1
  for (; next < lines.length; next++) {
    const line = lines[next] as string
    if (line.trim() === "" || begins(line) || (depth < DEEPEST && (ITEM.test(line) || /^ {0,3}>/.test(line)))) break
    body.push(line)
  }
  return [{ kind: "paragraph", text: body.map((line) => line.trim()).join("\n") }, next]
}

function begins(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line)
}

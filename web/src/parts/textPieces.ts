// Text as models wrote it: nothing hidden, nothing interpreted, nothing too large for the page.

export interface Piece {
  text: string
  /** Set for a character that cannot be seen: its name. */
  hidden?: string
}

const NAMES: Record<number, string> = {
  0x00: "NUL",
  0x08: "backspace",
  0x0b: "vertical tab",
  0x0c: "form feed",
  0x0d: "CR",
  0x1b: "ESC",
  0x7f: "DEL",
  0xad: "soft hyphen",
  0x061c: "arabic letter mark",
  0x180e: "vowel separator",
  0x200b: "zero width space",
  0x200c: "zero width non-joiner",
  0x200d: "zero width joiner",
  0x200e: "left-to-right mark",
  0x200f: "right-to-left mark",
  0x202a: "left-to-right embedding",
  0x202b: "right-to-left embedding",
  0x202c: "end of embedding",
  0x202d: "left-to-right override",
  0x202e: "right-to-left override",
  0x2060: "word joiner",
  0x2066: "left-to-right isolate",
  0x2067: "right-to-left isolate",
  0x2068: "first strong isolate",
  0x2069: "end of isolate",
  0xfeff: "byte order mark",
}

// Controls but tab and line feed; bidi; zero width; the tag characters, which spell invisible words.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** Name of a character that cannot be seen, as "right-to-left override" or "U+E0041". */
function hiddenName(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`
}

/** Split at characters that cannot be seen. CR before LF is an ordinary line end; a joiner inside an emoji too. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(HIDDEN)) {
    const [character] = match
    if (character === "\r" && text[match.index + 1] === "\n") continue
    if (character === "\u200d" && joinsEmoji(text, match.index)) continue
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) })
    pieces.push({ text: character, hidden: hiddenName(character) })
    from = match.index + character.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}

function joinsEmoji(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 5), at)
  return /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u.test(before) && /^\p{Extended_Pictographic}/u.test(text.slice(at + 1))
}

const LINE = 5000

/** Cut lines that no browser lays out quickly. The pieces joined give the text; cuts stand between them. */
export function chunksOf(text: string, size = LINE): string[] {
  const chunks: string[] = []
  let from = 0
  let lineStart = 0
  for (;;) {
    const lineEnd = text.indexOf("\n", lineStart)
    const end = lineEnd < 0 ? text.length : lineEnd
    for (let cut = lineStart + size; cut < end; cut += size) {
      // Never between the halves of a surrogate pair.
      const at = /[\ud800-\udbff]/.test(text[cut - 1] as string) ? cut - 1 : cut
      chunks.push(text.slice(from, at))
      from = at
    }
    if (lineEnd < 0) break
    lineStart = lineEnd + 1
  }
  chunks.push(text.slice(from))
  return chunks
}

export const SHOWN_WHOLE = 10_000
const SHOWN_FIRST = 2_000

/** The beginning of a long text, cut at a character. */
export function beginning(text: string, length = SHOWN_FIRST): string {
  if (text.length <= length) return text
  const at = /[\ud800-\udbff]/.test(text[length - 1] as string) ? length - 1 : length
  return text.slice(0, at)
}

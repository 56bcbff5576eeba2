// How much room words take in a picture. SVG does not wrap, so lines are made here.

const NARROW = /[ijlI.,:;'|!()[\]ftr1\s]/
const WIDE = /[mwMW%@—]/
// biome-ignore lint: scripts whose letters are as wide as high
const SQUARE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/

/** Roughly how wide a text is, in pixels; rather too wide than too narrow. */
export function textWidth(text: string, size = 12): number {
  let units = 0
  for (const letter of text) {
    units += SQUARE.test(letter) ? 1.05 : NARROW.test(letter) ? 0.4 : WIDE.test(letter) ? 0.95 : 0.62
  }
  return Math.ceil(units * size)
}

/** The text, or its beginning and its end with an ellipsis between: names that are long mostly differ at their end. */
export function shortened(text: string, width: number, size = 12): string {
  if (textWidth(text, size) <= width) return text
  const letters = [...text]
  let kept = letters.length - 1
  const cut = (): string => `${letters.slice(0, Math.ceil(kept / 2)).join("")}…${letters.slice(letters.length - Math.floor(kept / 2)).join("")}`
  while (kept > 2 && textWidth(cut(), size) > width) kept -= 1
  return cut()
}

/** The text in lines no wider than `width`: broken at spaces, else after `_ . / : -` but not in a number nor in `AGENTS.md`, else anywhere. */
export function wrapped(text: string, width: number, size = 12): string[] {
  const lines: string[] = []
  let line = ""
  for (const piece of pieces(text)) {
    if (textWidth((line + piece).trimEnd(), size) <= width) {
      line += piece
      continue
    }
    if (line.trim()) lines.push(line.trim())
    line = ""
    for (const letter of piece) {
      if (line && textWidth(line + letter, size) > width) {
        lines.push(line)
        line = ""
      }
      line += letter
    }
  }
  if (line.trim() || lines.length === 0) lines.push(line.trim())
  return lines
}

// A dot in a number or before the ending of a file's name is no place to break.
const HELD = String.raw`\.(?=\d|[a-z]{1,4}(?![a-z]))`
const WORD = String.raw`(?:[^\s_./:-]|${HELD})`
const PIECE = new RegExp(String.raw`${WORD}*(?:[\s_/:-]|(?!${HELD})\.)+|${WORD}+`, "g")

function pieces(text: string): string[] {
  return text.match(PIECE) ?? []
}

// Numbers as they are shown, everywhere the same: one function per kind, fixed to en-US and UTC.
// None of them ever answers "NaN", "Infinity" or "−0.000": what is not a number is shown as missing.

/** Stands where there is no value; the reason is shown on focus beside it. */
export const MISSING = "–"
const MINUS = "\u2212"
const EN_DASH = "–"
const NARROW = "\u00a0" // between a number and its unit, where a line must not break
const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })

export type Value = number | null | undefined
export type Ends = readonly [number, number]

function isNumber(value: Value): value is number {
  return typeof value === "number" && Number.isFinite(value)
}

/** Fixed decimals with a true minus sign, thousands commas, and no negative zero. */
export function fixed(value: number, digits: number): string {
  const size = Math.abs(value)
  if (size >= 1e15) return `${value < 0 ? MINUS : ""}${size.toExponential(2).replace("e+", "e")}`
  const shown = size.toFixed(digits)
  const [whole = "0", decimals] = shown.split(".")
  const text = decimals === undefined ? WHOLE.format(Number(whole)) : `${WHOLE.format(Number(whole))}.${decimals}`
  return value < 0 && Number(shown) !== 0 ? `${MINUS}${text}` : text
}

/** A score or a mean: `0.745`. */
export function scoreText(value: Value, digits = 3): string {
  return isNumber(value) ? fixed(value, digits) : MISSING
}

/** All digits that the server sent, for tooltips and tables: `0.744680851064`. */
export function exactText(value: Value): string {
  if (!isNumber(value)) return MISSING
  return Object.is(value, -0) ? "0" : String(value).replaceAll("-", MINUS)
}

/** An interval in a cell: `0.633–0.831`. */
export function intervalText(ends: Ends | null | undefined, digits = 3): string {
  if (!ends || !isNumber(ends[0]) || !isNumber(ends[1])) return MISSING
  const signed = ends[0] < 0 || ends[1] < 0
  return `${fixed(ends[0], digits)}${signed ? " to " : EN_DASH}${fixed(ends[1], digits)}`
}

/** An interval in a sentence: `0.633 to 0.831`. */
export function intervalWords(ends: Ends | null | undefined, digits = 3): string {
  if (!ends || !isNumber(ends[0]) || !isNumber(ends[1])) return "no interval"
  return `${fixed(ends[0], digits)} to ${fixed(ends[1], digits)}`
}

/** A difference, always with its sign: `+0.214`, `−0.050`, `±0.000`. */
export function deltaText(value: Value, digits = 3): string {
  if (!isNumber(value)) return MISSING
  const shown = fixed(value, digits)
  if (Number(Math.abs(value).toFixed(digits)) === 0) return `±${shown}`
  return value > 0 ? `+${shown}` : shown
}

/** An interval of a difference: `+0.115 to +0.314`; a dash would be read as a minus. */
export function deltaIntervalText(ends: Ends | null | undefined, digits = 3): string {
  if (!ends || !isNumber(ends[0]) || !isNumber(ends[1])) return MISSING
  return `${deltaText(ends[0], digits)} to ${deltaText(ends[1], digits)}`
}

/** A share in percent: whole below 1,000 cases, else one decimal. Some is never shown as none, nor most as all. */
export function shareText(share: Value, n?: Value): string {
  const percent = isNumber(share) ? share * 100 : null
  if (!isNumber(percent)) return MISSING
  const digits = isNumber(n) && n >= 1000 ? 1 : 0
  const least = digits ? 0.1 : 1
  const shown = percent.toFixed(digits)
  if (percent > 0 && Number(shown) === 0) return `<${least}${NARROW}%`
  if (percent < 100 && Number(shown) === 100) return `>${fixed(100 - least, digits)}${NARROW}%`
  return `${fixed(percent, digits)}${NARROW}%`
}

/** An interval of a share: `26–66 %`. */
export function shareIntervalText(ends: Ends | null | undefined, n?: Value): string {
  if (!ends || !isNumber(ends[0]) || !isNumber(ends[1])) return MISSING
  const digits = isNumber(n) && n >= 1000 ? 1 : 0
  return `${fixed(ends[0] * 100, digits)}${EN_DASH}${fixed(ends[1] * 100, digits)}${NARROW}%`
}

/** A p-value: `< 0.001`, else three decimals. */
export function pText(value: Value): string {
  if (!isNumber(value)) return MISSING
  return value < 0.001 ? "< 0.001" : fixed(value, 3)
}

/** A count with thousands commas, and its unit if there is one: `1,234 tok`. */
export function countText(value: Value, unit?: string): string {
  if (!isNumber(value)) return MISSING
  const shown = fixed(value, 0)
  return unit ? `${shown}${NARROW}${unit}` : shown
}

/** A count with a word that bends: `1 item`, `2 items`. */
export function countWords(value: number, noun: string, plural = `${noun}s`): string {
  return `${countText(value)} ${value === 1 ? noun : plural}`
}

/** A duration, given in milliseconds: `340ms`, `1.2s`, `2m 05s`, `3h 12m`, `2d 03h`. */
export function durationText(ms: Value): string {
  if (!isNumber(ms)) return MISSING
  const size = Math.abs(ms)
  const sign = ms < 0 && size >= 0.005 ? MINUS : ""
  if (size === 0) return "0ms"
  if (size < 0.005) return "<0.01ms"
  if (size < 0.995) return `${sign}${size.toFixed(2)}ms`
  if (size < 999.5) return `${sign}${size.toFixed(0)}ms`
  if (size < 59_950) return `${sign}${(size / 1000).toFixed(1)}s`
  const seconds = Math.round(size / 1000)
  if (seconds < 3600) return `${sign}${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 48 * 60) return `${sign}${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`
  const hours = Math.round(minutes / 60)
  return `${sign}${fixed(Math.floor(hours / 24), 0)}d ${two(hours % 24)}h`
}

/** US dollars: two significant digits below one cent, else two decimals; what is not known is "unknown", not 0. */
export function moneyText(usd: Value): string {
  if (!isNumber(usd)) return "unknown"
  const size = Math.abs(usd)
  const sign = usd < 0 ? MINUS : ""
  if (size === 0) return "$0.00"
  if (size < 1e-6) return `${sign}<$0.000001`
  if (size >= 0.00995) return `${sign}$${fixed(size, 2)}`
  const digits = 1 - Math.floor(Math.log10(Number(size.toPrecision(2))))
  return `${sign}$${size.toFixed(Math.min(digits, 8))}`
}

/** Bytes in units of 1,000: `12 KB`, `1.5 MB`. */
export function bytesText(bytes: Value): string {
  if (!isNumber(bytes)) return MISSING
  const units = ["B", "KB", "MB", "GB", "TB", "PB"]
  const sign = bytes <= -0.5 ? MINUS : ""
  let size = Math.abs(bytes)
  let unit = 0
  while (unit < units.length - 1 && Number(digitsOf(size, unit)) >= 1000) {
    size /= 1000
    unit += 1
  }
  return `${sign}${fixed(Number(digitsOf(size, unit)), unit > 0 && size < 9.95 ? 1 : 0)}${NARROW}${units[unit]}`
}

function digitsOf(size: number, unit: number): string {
  return size.toFixed(unit > 0 && size < 9.95 ? 1 : 0)
}

/** The last eight of an id: the head of a UUIDv7 is the time, which rows of one page share. */
export function shortId(id: string | null | undefined): string {
  if (!id) return MISSING
  return id.length > 8 ? id.slice(-8) : id
}

/** The server's words with a true minus before numbers, as everywhere on the page. */
export function serverWords(words: string): string {
  return words.replace(/(^|[\s(])-(?=\d)/g, `$1${MINUS}`)
}

/** The server's words as a sentence of their own. */
export function serverSentence(words: string): string {
  const shown = serverWords(words)
  return `${shown.charAt(0).toUpperCase()}${shown.slice(1)}${/[.!?]$/.test(shown) ? "" : "."}`
}

function two(value: number): string {
  return String(value).padStart(2, "0")
}

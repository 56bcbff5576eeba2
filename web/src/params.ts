// Parameters of a URL: what a view reads from it. Unreadable ones are dropped and named, never an error.

/** How one parameter is read; undefined means that it makes no sense. */
export type Field<T> = (text: string) => T | undefined

export const text: Field<string> = (value) => (value !== "" && value.length <= 2000 ? value : undefined)

export function oneOf<const T extends string>(...allowed: T[]): Field<T> {
  return (value) => allowed.find((one) => one === value)
}

/** `name`, or `-name` for descending. */
export function sortBy<const T extends string>(...names: T[]): Field<T | `-${T}`> {
  return (value) => (names.some((name) => value === name || value === `-${name}`) ? (value as T) : undefined)
}

export function number(low = -Infinity, high = Infinity): Field<number> {
  return (value) => {
    const parsed = value.trim() === "" ? NaN : Number(value)
    return Number.isFinite(parsed) && parsed >= low && parsed <= high ? parsed : undefined
  }
}

export function whole(low: number): Field<number> {
  return (value) => {
    const parsed = number(low, Number.MAX_SAFE_INTEGER)(value)
    return parsed !== undefined && Number.isInteger(parsed) ? parsed : undefined
  }
}

export const flag: Field<boolean> = (value) =>
  value === "true" || value === "1" ? true : value === "false" || value === "0" ? false : undefined

/** Comma-separated, each part at most once. */
export const list: Field<string[]> = (value) => {
  const parts = [...new Set(value.split(",").filter((part) => part !== ""))]
  return parts.length > 0 ? parts : undefined
}

/** A point in time: ISO 8601, or a span back from now such as `24h`, `7d`, `30m`. */
export const when: Field<string> = (value) =>
  /^[1-9]\d{0,4}[mhd]$/.test(value) || (/^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)))
    ? value
    : undefined

type Fields = Record<string, Field<unknown>>
type Values<F extends Fields> = { [K in keyof F]?: F[K] extends Field<infer T> ? T : never }
type Prefixed<P extends string> = string extends P ? unknown : { [K in `${P}${string}`]?: string | undefined }

export interface Search<State = object> {
  view: Fields
  place: Fields
  /** Any parameter that starts so is text, as `meta.KEY`. */
  prefix?: string | undefined
  validate: (raw: Record<string, unknown>) => State
}

/** What a view reads: `StateOf<typeof tracesSearch>`. */
export type StateOf<S> = S extends Search<infer State> ? State : never

/** The parameters of one view. `view` is what it shows; `place` is where the reader is in it. */
export function search<V extends Fields, L extends Fields = Record<never, never>, P extends string = string>(
  view: V,
  place: L = {} as L,
  prefix?: P,
): Search<Values<V> & Values<L> & Prefixed<P>> {
  const spec: Search<Values<V> & Values<L> & Prefixed<P>> = { view, place, prefix, validate: (raw) => read(spec, raw).values as never }
  return spec
}

/** Read raw parameters: dropped ones are undefined in `values` and stand as `name=value` in `ignored`. */
export function read(spec: Search, raw: Record<string, unknown>): { values: Record<string, unknown>; ignored: string[] } {
  const values: Record<string, unknown> = {}
  const ignored: string[] = []
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined || value === null) continue
    const field = fieldOf(spec, name)
    const written = writeValue(value)
    values[name] = field?.(written)
    if (values[name] === undefined && written !== "") ignored.push(`${name}=${written.slice(0, 80)}`)
  }
  return { values, ignored }
}

function fieldOf(spec: Search, name: string): Field<unknown> | undefined {
  if (Object.hasOwn(spec.view, name)) return spec.view[name]
  if (Object.hasOwn(spec.place, name)) return spec.place[name]
  return spec.prefix !== undefined && name.startsWith(spec.prefix) && name !== spec.prefix ? text : undefined
}

function writeValue(value: unknown): string {
  return Array.isArray(value) ? value.join(",") : String(value)
}

/** Plain names and values: `?error=true&meta.tier=gold`. A repeated name is joined by commas. */
export function parseSearch(searchText: string): Record<string, string> {
  const raw: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(searchText)) {
    raw[name] = Object.hasOwn(raw, name) ? `${raw[name]},${value}` : value
  }
  return raw
}

export function stringifySearch(values: Record<string, unknown>): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === "") continue
    const written = writeValue(value)
    if (written !== "") parts.push(`${escapePart(name)}=${escapePart(written)}`)
  }
  return parts.length > 0 ? `?${parts.join("&")}` : ""
}

// Commas, colons and slashes are legal in a query and easier to read unescaped.
function escapePart(part: string): string {
  return encodeURIComponent(part).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/")
}

/** The same parameters without those that say where the reader is. */
export function withoutPlace(spec: Search, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(spec.place, name)))
}

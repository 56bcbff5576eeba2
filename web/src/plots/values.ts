// Values of iterations over time: where they lie, shapes filled up to their coverage, brackets of sessions. All pure.
import { evidenceWords, type BandShape } from "../words/iterations"
import { px } from "./shapes"

export interface ValuePoint {
  id: string
  iteration: number
  value: number | null
  band: string
  coverage: number
  provisional: boolean
  why_provisional?: string | null
  session_id: string | null
  date: string | null
  commit: string | null
  /** Signals that facts stand behind. */
  observed: readonly string[]
}

export interface EvidenceChange {
  /** Index of the first iteration that stands on other facts than the scored one before it. */
  place: number
  words: string
}

/** Where values stop being alike: the signals with facts behind them change. */
export function evidenceChanges(points: readonly ValuePoint[]): EvidenceChange[] {
  const changes: EvidenceChange[] = []
  let before: readonly string[] | null = null
  for (const [place, point] of points.entries()) {
    if (point.value === null) continue
    if (before !== null && before.join("\n") !== point.observed.join("\n")) {
      changes.push({ place, words: evidenceWords(before, point.observed) })
    }
    before = point.observed
  }
  return changes
}

export interface Bracket {
  session: string
  from: number
  to: number
}

/** Runs of iterations of one session, by index; a session that is interrupted has several. */
export function brackets(points: readonly ValuePoint[]): Bracket[] {
  const runs: Bracket[] = []
  for (const [place, { session_id: session }] of points.entries()) {
    const last = runs.at(-1)
    if (session === null) continue
    if (last?.session === session && last.to === place - 1) last.to = place
    else runs.push({ session, from: place, to: place })
  }
  return runs
}

/** Stretches of places between two changes of evidence, within which a line may join verdicts. */
export function alikeStretches(points: readonly ValuePoint[]): number[][] {
  const starts = new Set(evidenceChanges(points).map(({ place }) => place))
  const stretches: number[][] = [[]]
  for (const [place, point] of points.entries()) {
    if (starts.has(place)) stretches.push([])
    if (point.value !== null && !point.provisional) stretches.at(-1)?.push(place)
    else if (!point.provisional) stretches.push([])
  }
  return stretches.filter((stretch) => stretch.length > 1)
}

type Corner = readonly [number, number]

/** The outline of a band's shape around a point. */
function corners(kind: BandShape, x: number, y: number, r: number): Corner[] {
  if (kind === "diamond") return [[x, y - r * 1.2], [x + r * 1.2, y], [x, y + r * 1.2], [x - r * 1.2, y]]
  if (kind === "square") return [[x - r * 0.9, y - r * 0.9], [x + r * 0.9, y - r * 0.9], [x + r * 0.9, y + r * 0.9], [x - r * 0.9, y + r * 0.9]]
  if (kind === "triangle") return [[x - r * 1.1, y - r * 0.8], [x + r * 1.1, y - r * 0.8], [x, y + r * 1.2]]
  return Array.from({ length: 24 }, (_, at) => [x + r * Math.cos((at * Math.PI) / 12), y + r * Math.sin((at * Math.PI) / 12)] as const)
}

/** The shape of a band as a path; with `share`, only its lower part up to this share of its height. */
export function bandPath(kind: BandShape, x: number, y: number, r: number, share = 1): string {
  const outline = corners(kind, x, y, r)
  const [top, bottom] = [Math.min(...outline.map((corner) => corner[1])), Math.max(...outline.map((corner) => corner[1]))]
  const kept = share >= 1 ? outline : below(outline, bottom - Math.max(0, share) * (bottom - top))
  return kept.length < 3 ? "" : `M${kept.map(([left, down]) => `${px(left)} ${px(down)}`).join("L")}Z`
}

/** What of a polygon lies below a horizontal line. */
function below(outline: readonly Corner[], line: number): Corner[] {
  const kept: Corner[] = []
  for (const [at, here] of outline.entries()) {
    const before = outline[(at || outline.length) - 1] ?? here
    if (before[1] >= line !== here[1] >= line) {
      const share = (line - before[1]) / (here[1] - before[1])
      kept.push([before[0] + share * (here[0] - before[0]), line])
    }
    if (here[1] >= line) kept.push(here)
  }
  return kept
}

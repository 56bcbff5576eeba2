// Items of two experiments as points: those on one place are one mark, and a brush picks a part. All of it is pure.
import type { Ends } from "../words/format"
import type { Scale } from "./scale"

export interface ItemPair {
  id: string
  base: number
  candidate: number
  /** What the item is called in sentences and tooltips; its id unless given. */
  label?: string
}

export interface Pile {
  key: string
  base: number
  candidate: number
  items: readonly ItemPair[]
}

/** A part of the scatter plot, in values. */
export interface Region {
  base: Ends
  candidate: Ends
}

/** Items with the same two scores as one pile, in the order of the arrow keys: by base, then by candidate. */
export function piles(items: readonly ItemPair[]): Pile[] {
  const byPlace = new Map<string, ItemPair[]>()
  for (const item of items) {
    if (!Number.isFinite(item.base) || !Number.isFinite(item.candidate)) continue
    const key = `${item.base.toFixed(9)} ${item.candidate.toFixed(9)}`
    const pile = byPlace.get(key)
    if (pile) pile.push(item)
    else byPlace.set(key, [item])
  }
  return [...byPlace]
    .map(([key, found]) => ({ key, base: found[0]?.base ?? 0, candidate: found[0]?.candidate ?? 0, items: found }))
    .sort((a, b) => a.base - b.base || a.candidate - b.candidate)
}

/** Half of a pile's width: its area grows with the count. */
export function pileRadius(count: number, one = 4, most = 16): number {
  return Math.min(most, one * Math.sqrt(Math.max(1, count)))
}

/** The side of the diagonal on which a pile lies. */
export function pileSide(pile: Pile): "up" | "down" | "diamond" {
  const delta = pile.candidate - pile.base
  return Math.abs(delta) < 5e-4 ? "diamond" : delta > 0 ? "up" : "down"
}

/** The region between two corners in pixels. */
export function regionOf(x: Scale, y: Scale, from: readonly [number, number], to: readonly [number, number]): Region {
  return { base: ordered(x.invert(from[0]), x.invert(to[0])), candidate: ordered(y.invert(from[1]), y.invert(to[1])) }
}

/** The region that two piles span. */
export function spanned(a: Pile, b: Pile): Region {
  return { base: ordered(a.base, b.base), candidate: ordered(a.candidate, b.candidate) }
}

/** Ids of the items inside a region, its edges included. */
export function itemsIn(region: Region, items: readonly ItemPair[]): string[] {
  const within = (value: number, [low, high]: Ends) => value >= low - 1e-9 && value <= high + 1e-9
  return items.filter(
    (item) => within(item.base, region.base) && within(item.candidate, region.candidate)
  ).map((item) => item.id)
}

function ordered(a: number, b: number): Ends {
  return a <= b ? [a, b] : [b, a]
}

export interface DeltaItem {
  id: string
  label?: string
  delta: number
  base?: number | null
  candidate?: number | null
}

export interface DeltaBar {
  /** Mean of the group's differences. */
  delta: number
  range: Ends
  items: readonly DeltaItem[]
}

/** Items sorted by difference, the worst first; in equal groups where there are more items than bars. */
export function deltaBars(items: readonly DeltaItem[], most: number): DeltaBar[] {
  const sorted = items.filter((item) => Number.isFinite(item.delta)).sort(
    (a, b) => a.delta - b.delta || (a.id < b.id ? -1 : 1)
  )
  const size = Math.max(1, Math.ceil(sorted.length / Math.max(1, most)))
  const bars: DeltaBar[] = []
  for (let from = 0; from < sorted.length; from += size) {
    const group = sorted.slice(from, from + size)
    const total = group.reduce((sum, item) => sum + item.delta, 0)
    bars.push({ delta: total / group.length, range: [group[0]?.delta ?? 0, group.at(-1)?.delta ?? 0], items: group })
  }
  return bars
}

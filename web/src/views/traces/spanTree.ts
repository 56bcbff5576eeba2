// A trace's spans from columns to a tree: every span after its parent, with its depth. Nothing here recurses.
import type { SpanColumns } from "../../api/traces"
import type { Ends } from "../../words/format"

export interface SpanNode {
  id: string
  depth: number
  /** Position in the columns. */
  at: number
  name: string
  start: number
  duration: number | null
  model: string | null
  hasError: boolean
  scores: number
  /** When its children ran. */
  children: readonly Ends[]
  /** Its parent is not stored. */
  orphan: boolean
}

export interface SpanTree {
  nodes: SpanNode[]
  /** Milliseconds from the first start to the last end. */
  total: number
  errors: number
  orphans: number
}

const NONE: readonly Ends[] = []

/** Children by start time below their parent; spans without a stored parent are at the top. */
export function spanTree(columns: SpanColumns): SpanTree {
  const count = columns.id.length
  const children: number[][] = Array.from({ length: count }, () => [])
  const tops: number[] = []
  for (let at = 0; at < count; at++) {
    const parent = columns.parent[at]
    if (parent === null || parent === undefined) tops.push(at)
    else children[parent]?.push(at)
  }
  const nodes: SpanNode[] = []
  const seen = new Uint8Array(count)
  const stack: { at: number; depth: number }[] = []
  function walk(): void {
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      if (seen[top.at]) continue
      seen[top.at] = 1
      const below = children[top.at] ?? []
      nodes.push(nodeOf(columns, top.at, top.depth, below))
      for (let index = below.length - 1; index >= 0; index--) stack.push({ at: below[index] as number, depth: top.depth + 1 })
    }
  }
  for (let index = tops.length - 1; index >= 0; index--) stack.push({ at: tops[index] as number, depth: 0 })
  walk()
  // Spans that are each other's parents have no top; the first of each ring is taken for one.
  for (let at = 0; at < count; at++) {
    if (!seen[at]) {
      stack.push({ at, depth: 0 })
      walk()
    }
  }
  return { nodes, total: totalOf(columns), errors: columns.has_error.filter(Boolean).length, orphans: Object.keys(columns.orphans).length }
}

function nodeOf(columns: SpanColumns, at: number, depth: number, below: number[]): SpanNode {
  const model = columns.model[at]
  return {
    id: columns.id[at] as string,
    depth,
    at,
    name: columns.names[columns.name[at] as number] ?? "",
    start: columns.start_ms[at] ?? 0,
    duration: columns.duration_ms[at] ?? null,
    model: model === null || model === undefined ? null : (columns.models[model] ?? null),
    hasError: columns.has_error[at] ?? false,
    scores: columns.score_count[at] ?? 0,
    children: below.length === 0 ? NONE : below.map((child) => endsOf(columns, child)),
    orphan: String(at) in columns.orphans,
  }
}

function endsOf(columns: SpanColumns, at: number): Ends {
  const start = columns.start_ms[at] ?? 0
  return [start, start + (columns.duration_ms[at] ?? 0)]
}

function totalOf(columns: SpanColumns): number {
  let total = 0
  for (let at = 0; at < columns.id.length; at++) total = Math.max(total, endsOf(columns, at)[1])
  return total
}

/** The nodes that are wanted, with all that they stand below. */
export function withAncestors(nodes: readonly SpanNode[], wanted: (node: SpanNode) => boolean): SpanNode[] {
  const kept: SpanNode[] = []
  // From the end: whoever has a kept node below, at a smaller depth, is kept too.
  let needed = -1
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at] as SpanNode
    if (wanted(node) || node.depth === needed) {
      kept.push(node)
      needed = node.depth - 1
    }
  }
  return kept.reverse()
}

/** The next error after a span, going round; undefined when there is none. */
export function nextError(nodes: readonly SpanNode[], from: string | undefined, step: 1 | -1): string | undefined {
  const errors = nodes.filter((node) => node.hasError)
  if (errors.length === 0) return undefined
  const now = nodes.findIndex((node) => node.id === from)
  const later = step === 1 ? errors.find((node) => nodes.indexOf(node) > now) : errors.findLast((node) => nodes.indexOf(node) < now)
  return (later ?? (step === 1 ? errors[0] : errors.at(-1)))?.id
}

// A tree as a flat array: every node after its parent, with its depth. Nothing here recurses.

export interface TreeNode {
  id: string
  depth: number
}

/** Has the node children? In this order they come right after it. */
export function hasChildren(nodes: readonly TreeNode[], index: number): boolean {
  return (nodes[index + 1]?.depth ?? -1) > (nodes[index]?.depth ?? 0)
}

/** Indices of the nodes in sight: those with no closed ancestor. */
export function visible(nodes: readonly TreeNode[], closed: ReadonlySet<string>): number[] {
  const rows: number[] = []
  let hiddenBelow = Infinity
  nodes.forEach((node, index) => {
    if (node.depth > hiddenBelow) return
    hiddenBelow = closed.has(node.id) ? node.depth : Infinity
    rows.push(index)
  })
  return rows
}

export interface Position {
  /** Counted from 1. */
  position: number
  size: number
}

/** Each node's place among its siblings. */
export function positions(nodes: readonly TreeNode[]): Position[] {
  const result: Position[] = []
  // By depth: the open group of siblings, as indices.
  const groups: number[][] = []
  function settle(depth: number): void {
    for (let level = groups.length - 1; level > depth; level--) {
      const group = groups[level] ?? []
      for (const member of group) (result[member] as Position).size = group.length
      groups.length = level
    }
  }
  nodes.forEach((node, index) => {
    settle(node.depth)
    // Depths may skip a level where the data does.
    while (groups.length <= node.depth) groups.push([])
    const group = groups[node.depth] as number[]
    group.push(index)
    result.push({ position: group.length, size: 0 })
  })
  settle(-1)
  return result
}

/** The node that holds this one, or -1. */
export function parentOf(nodes: readonly TreeNode[], index: number): number {
  const depth = nodes[index]?.depth ?? 0
  for (let at = index - 1; at >= 0; at--) if ((nodes[at] as TreeNode).depth < depth) return at
  return -1
}

/** Closed ids after one branch was opened or closed. */
export function toggled(closed: ReadonlySet<string>, id: string, close: boolean): Set<string> {
  const next = new Set(closed)
  if (close) next.add(id)
  else next.delete(id)
  return next
}

/** Closed ids after all branches beside a node were opened. */
export function siblingsOpened(nodes: readonly TreeNode[], closed: ReadonlySet<string>, index: number): Set<string> {
  const next = new Set(closed)
  const depth = nodes[index]?.depth ?? 0
  const parent = parentOf(nodes, index)
  for (let at = parent + 1; at < nodes.length; at++) {
    const node = nodes[at] as TreeNode
    if (parent >= 0 && node.depth <= (nodes[parent] as TreeNode).depth) break
    if (node.depth === depth) next.delete(node.id)
  }
  return next
}

/** Closed ids after every ancestor of a node was opened, so that it is in sight. */
export function revealed(nodes: readonly TreeNode[], closed: ReadonlySet<string>, index: number): ReadonlySet<string> {
  let next: Set<string> | undefined
  for (let at = parentOf(nodes, index); at >= 0; at = parentOf(nodes, at)) {
    const { id } = nodes[at] as TreeNode
    if (closed.has(id)) (next ??= new Set(closed)).delete(id)
  }
  return next ?? closed
}

export const DEEPEST_INDENT = 24

/** Pixels of indentation; it stops growing where a number takes over. */
export function indentOf(depth: number, step = 14): number {
  return Math.min(depth, DEEPEST_INDENT) * step
}

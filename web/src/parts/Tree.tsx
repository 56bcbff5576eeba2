import type { ReactNode, RefObject } from "react"
import { useEffect, useMemo, useRef, useState } from "react"
import { useKeys } from "../keys"
import type { Position, TreeNode } from "./treeRows"
import { DEEPEST_INDENT, hasChildren, indentOf, parentOf, positions, siblingsOpened, toggled, visible } from "./treeRows"
import styles from "./Tree.module.css"
import { useRows } from "./useRows"

interface Props<T extends TreeNode> {
  label: string
  /** Every node after its parent. Keep the array the same while nothing changes. */
  nodes: readonly T[]
  closed: ReadonlySet<string>
  onClosed: (closed: ReadonlySet<string>) => void
  chosen: string | undefined
  /** At once on click or Enter; after a short pause when keys move. */
  onChoose: (id: string) => void
  /** The row after indentation and branch sign. */
  render: (node: T, index: number) => ReactNode
  /** What a screen reader says of the row; without it, its content. */
  describe?: (node: T) => string
  rowHeight?: number
}

const CHOOSE_MS = 150

/** A tree of rows of one height, of which only those in sight are drawn. Keys as in the ARIA practices. */
export function Tree<T extends TreeNode>(props: Props<T>) {
  const { label, nodes, closed, onClosed, chosen, onChoose, render, describe, rowHeight = 26 } = props
  const rows = useMemo(() => visible(nodes, closed), [nodes, closed])
  const places = useMemo(() => positions(nodes), [nodes])
  const { box, first, end, onScroll, show } = useRows(rows.length, rowHeight)
  const { current, move, choose, focusRow } = useCurrentNode(nodes, rows, chosen, onChoose, show)
  const at = rows[current] ?? 0
  const node = nodes[at]
  const isClosed = node !== undefined && closed.has(node.id)
  const branch = hasChildren(nodes, at)
  useKeys(
    {
      "row.next": () => move(current + (box.current?.contains(document.activeElement) ? 1 : 0)),
      "row.previous": () => move(current - 1),
      "row.first": () => move(0),
      "row.last": () => move(rows.length - 1),
      "row.open": () => choose(current),
      "tree.open": () => {
        if (branch && isClosed && node) onClosed(toggled(closed, node.id, false))
        else if (branch) move(current + 1)
      },
      "tree.close": () => {
        if (branch && !isClosed && node) onClosed(toggled(closed, node.id, true))
        else if (parentOf(nodes, at) >= 0) move(rows.indexOf(parentOf(nodes, at)))
      },
      "tree.siblings": () => onClosed(siblingsOpened(nodes, closed, at)),
    },
    { scope: box, on: rows.length > 0 },
  )
  // The row with the focus stays in the page when it is scrolled out of sight.
  const drawn = Array.from({ length: end - first }, (_, index) => first + index)
  if (current < rows.length && (current < first || current >= end)) drawn.push(current)
  return (
    <div ref={box} className={styles.box} onScroll={onScroll} role="tree" aria-label={label}>
      <div role="none" className={styles.body} style={{ height: rows.length * rowHeight }}>
        {drawn.map((row) => {
          const index = rows[row] as number
          const one = nodes[index] as T
          return (
            <Row
              key={one.id}
              node={one}
              place={places[index] as Position}
              branch={hasChildren(nodes, index) ? (closed.has(one.id) ? "closed" : "open") : "leaf"}
              top={row * rowHeight}
              height={rowHeight}
              chosen={one.id === chosen}
              current={row === current}
              focus={row === current ? focusRow : undefined}
              label={describe?.(one)}
              onClick={() => choose(row)}
              onToggle={() => onClosed(toggled(closed, one.id, !closed.has(one.id)))}
            >
              {render(one, index)}
            </Row>
          )
        })}
      </div>
    </div>
  )
}

interface RowProps {
  node: TreeNode
  place: Position
  branch: "open" | "closed" | "leaf"
  top: number
  height: number
  chosen: boolean
  current: boolean
  focus: RefObject<HTMLDivElement | null> | undefined
  label: string | undefined
  onClick: () => void
  onToggle: () => void
  children: ReactNode
}

function Row({ node, place, branch, top, height, chosen, current, focus, label, onClick, onToggle, children }: RowProps) {
  return (
    <div
      ref={focus}
      role="treeitem"
      aria-level={node.depth + 1}
      aria-posinset={place.position}
      aria-setsize={place.size}
      aria-expanded={branch === "leaf" ? undefined : branch === "open"}
      aria-selected={chosen}
      aria-label={label}
      tabIndex={current ? 0 : -1}
      className={chosen ? `${styles.row} ${styles.chosen}` : styles.row}
      style={{ top, height, paddingInlineStart: indentOf(node.depth) + 4 }}
      onClick={onClick}
    >
      <span
        className={styles.sign}
        aria-hidden="true"
        onClick={(event) => {
          if (branch === "leaf") return
          event.stopPropagation()
          onToggle()
        }}
      >
        {branch === "leaf" ? "" : branch === "open" ? "▾" : "▸"}
      </span>
      {node.depth > DEEPEST_INDENT && (
        <span className={styles.depth} title={`depth ${node.depth}`}>
          {node.depth}
        </span>
      )}
      <div className={styles.content}>{children}</div>
    </div>
  )
}

/** Which row the keys act on: the chosen one at first, then wherever they moved. */
function useCurrentNode(
  nodes: readonly TreeNode[],
  rows: number[],
  chosen: string | undefined,
  onChoose: (id: string) => void,
  show: (row: number) => void,
) {
  const [id, setId] = useState(chosen)
  const [moved, setMoved] = useState(0)
  const focusRow = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const current = Math.max(
    0,
    useMemo(() => rows.findIndex((index) => nodes[index]?.id === id), [rows, nodes, id]),
  )
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (moved > 0) focusRow.current?.focus({ preventScroll: true })
  }, [moved])
  useEffect(() => {
    // Chosen from outside, as by "next error": shown, not focused.
    if (chosen === undefined) return
    setId(chosen)
    const row = rows.findIndex((index) => nodes[index]?.id === chosen)
    if (row >= 0) show(row)
    // Only a new choice scrolls; opening a branch does not.
  }, [chosen])
  function move(to: number): void {
    const row = Math.min(rows.length - 1, Math.max(0, to))
    const next = nodes[rows[row] ?? -1]
    if (!next) return
    setId(next.id)
    show(row)
    setMoved((before) => before + 1)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChoose(next.id), CHOOSE_MS)
  }
  function choose(row: number): void {
    const next = nodes[rows[row] ?? -1]
    if (!next) return
    clearTimeout(timer.current)
    setId(next.id)
    onChoose(next.id)
  }
  return { current, move, choose, focusRow }
}

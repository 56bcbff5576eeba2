import type { RefObject } from "react"
import { useLayoutEffect, useRef } from "react"

const COMPARED = 3

/**
 * When rows are inserted on top of a table, what the reader looks at stays where it is: the box is scrolled by as much,
 * unless it stands at its very beginning, and the row with the focus is told its new number.
 */
export function useSteadyRows<R>(
  rows: readonly R[] | undefined, rowKey: (row: R) => string, box: RefObject<HTMLElement | null>, height: number,
  onShift: (added: number) => void,
): void {
  const begin = useRef<string[]>([])
  useLayoutEffect(() => {
    const before = begin.current
    begin.current = rows?.slice(0, COMPARED).map(rowKey) ?? []
    const element = box.current
    if (rows === undefined || before.length === 0 || element === null) return
    const added = rows.findIndex((row) => rowKey(row) === before[0])
    // Another order may hold the same rows; inserted on top means that the old ones still follow each other.
    const follow = rows.slice(added, added + before.length).map(rowKey)
    if (added <= 0 || follow.join("\n") !== before.join("\n")) return
    const focused = element.contains(document.activeElement)
    if (focused) onShift(added)
    if (element.scrollTop > 0 || focused) element.scrollTop += added * height
  }, [rows])
}

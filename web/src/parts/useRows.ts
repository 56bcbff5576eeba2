import type { RefObject } from "react"
import { useCallback, useEffect, useRef, useState } from "react"
import type { Open } from "./rowWindow"
import { rowWindow, scrollFor } from "./rowWindow"

interface Rows {
  box: RefObject<HTMLDivElement | null>
  first: number
  end: number
  onScroll: () => void
  /** Scroll the row into sight. */
  show: (index: number) => void
}

/** Draws only the rows in sight of a scrolling box. `head` is the height of what sticks to its top. */
export function useRows(count: number, rowHeight: number, head = 0, open: Open | null = null): Rows {
  const box = useRef<HTMLDivElement>(null)
  const [[first, end], setWindow] = useState<[number, number]>([0, Math.min(count, 40)])
  const openAt = open?.at
  const openHeight = open?.height
  const measure = useCallback(() => {
    const element = box.current
    if (!element) return
    const shift = openAt === undefined ? null : { at: openAt, height: openHeight ?? 0 }
    const next = rowWindow(element.scrollTop - head, element.clientHeight, count, rowHeight, shift)
    setWindow((before) => (before[0] === next[0] && before[1] === next[1] ? before : next))
  }, [count, rowHeight, head, openAt, openHeight])
  useEffect(() => {
    measure()
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [measure])
  const show = useCallback(
    (index: number) => {
      const element = box.current
      if (!element) return
      const shift = openAt === undefined ? null : { at: openAt, height: openHeight ?? 0 }
      const top = scrollFor(index, element.scrollTop, element.clientHeight - head, rowHeight, shift)
      if (top !== undefined) element.scrollTop = top
      measure()
    },
    [rowHeight, head, openAt, openHeight, measure],
  )
  return { box, first, end: Math.min(end, count), onScroll: measure, show }
}

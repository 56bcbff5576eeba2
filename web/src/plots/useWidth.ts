import { type RefCallback, useEffect, useState } from "react"

/**
 * How wide the element is that has the ref, so that a plot can fill it; `first` until it is known. The element may come
 * later than the component, with the data that it shows.
 */
export function useWidth<E extends HTMLElement>(first: number, most = 960): [RefCallback<E>, number] {
  const [node, setNode] = useState<E | null>(null)
  const [width, setWidth] = useState(first)
  useEffect(() => {
    if (!node) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(160, Math.min(most, Math.floor(entry.contentRect.width))))
    })
    observer.observe(node)
    return () => observer.disconnect()
  }, [node, most])
  return [setNode, width]
}

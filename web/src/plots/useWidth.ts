import { type RefObject, useEffect, useRef, useState } from "react"

/** How wide the element is that has the ref, so that a plot can fill it; `first` until it is known. */
export function useWidth<E extends HTMLElement>(first: number, most = 960): [RefObject<E | null>, number] {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(first)
  useEffect(() => {
    const node = ref.current
    if (!node) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(160, Math.min(most, Math.floor(entry.contentRect.width))))
    })
    observer.observe(node)
    return () => observer.disconnect()
  }, [most])
  return [ref, width]
}

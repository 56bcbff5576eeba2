import { useEffect, useRef, useState } from "react"

export interface OpenTip<Key> {
  key: Key
  anchor: Element
}

const GRACE = 160 // milliseconds to reach the tooltip from its mark

/** Which mark's tooltip is open. It closes a moment after pointer or focus left both the mark and the tooltip. */
export function useTip<Key>() {
  const [open, setOpen] = useState<OpenTip<Key> | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const muted = useRef(false)
  const stay = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    open,
    show: (key: Key, anchor: Element) => {
      if (muted.current) return
      stay()
      setOpen({ key, anchor })
    },
    stay,
    leave: () => {
      stay()
      timer.current = setTimeout(() => setOpen(null), GRACE)
    },
    /** Closes at once; focus that was in the tooltip goes back to its mark, and does not open it again. */
    close: () => {
      stay()
      muted.current = true
      if (open?.anchor instanceof HTMLElement && open.anchor !== document.activeElement) open.anchor.focus()
      muted.current = false
      setOpen(null)
    },
  }
}

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
  const stay = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    open,
    show: (key: Key, anchor: Element) => {
      stay()
      setOpen({ key, anchor })
    },
    stay,
    leave: () => {
      stay()
      timer.current = setTimeout(() => setOpen(null), GRACE)
    },
    close: () => {
      stay()
      setOpen(null)
    },
  }
}

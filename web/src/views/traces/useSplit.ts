// Two panes whose border can be dragged, or moved by keys.
import type { CSSProperties, PointerEvent } from "react"
import { useState } from "react"

const LEAST = 25
const MOST = 75
const STEP = 5

export function useSplit(start = 55) {
  const [share, setShare] = useState(start)
  const set = (value: number): void => setShare(Math.min(MOST, Math.max(LEAST, value)))
  function drag(event: PointerEvent<HTMLElement>): void {
    const box = event.currentTarget.parentElement?.getBoundingClientRect()
    if (event.buttons === 1 && box && box.width > 0) set(((event.clientX - box.left) / box.width) * 100)
  }
  return {
    move: (steps: number): void => set(share + steps * STEP),
    style: { "--split": `${share}%` } as CSSProperties,
    handle: {
      role: "separator",
      tabIndex: 0,
      "aria-label": "Width of the tree",
      "aria-orientation": "vertical" as const,
      "aria-valuenow": Math.round(share),
      "aria-valuemin": LEAST,
      "aria-valuemax": MOST,
      onPointerDown: (event: PointerEvent<HTMLElement>) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: drag,
      onKeyDown: (event: { key: string; preventDefault: () => void }) => {
        const steps = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0
        if (steps === 0) return
        event.preventDefault()
        set(share + steps * STEP)
      },
    },
  }
}

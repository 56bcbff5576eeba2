import { type PointerEvent, useState } from "react"
import css from "./Brush.module.css"
import { type Region, regionOf } from "./points"
import type { Scale } from "./scale"

export interface BrushProps {
  x: Scale
  y: Scale
  region: Region | null
  onRegion: (region: Region | null) => void
}

const LEAST = 4 // pixels; less is a click, which clears

/** A rectangle drawn with the pointer over a plot. The keyboard's way is the plot's own. */
export function Brush({ x, y, region, onRegion }: BrushProps) {
  const [drag, setDrag] = useState<{ from: [number, number]; to: [number, number] } | null>(null)
  const at = (event: PointerEvent): [number, number] => {
    const box = event.currentTarget.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }
  const shown = drag ? regionOf(x, y, drag.from, drag.to) : region
  const rect = shown && {
    left: x.at(shown.base[0]) - 3,
    top: y.at(shown.candidate[1]) - 3,
    width: x.at(shown.base[1]) - x.at(shown.base[0]) + 6,
    height: y.at(shown.candidate[0]) - y.at(shown.candidate[1]) + 6,
  }
  return (
    <div
      className={css.area}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: at(event), to: at(event) })
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: at(event) })}
      onPointerCancel={() => setDrag(null)}
      onPointerUp={(event) => {
        if (!drag) return
        const to = at(event)
        setDrag(null)
        const moved = Math.abs(to[0] - drag.from[0]) >= LEAST || Math.abs(to[1] - drag.from[1]) >= LEAST
        onRegion(moved ? regionOf(x, y, drag.from, to) : null)
      }}
    >
      {rect && <div className={css.rect} style={rect} />}
    </div>
  )
}

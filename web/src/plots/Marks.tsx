import { type KeyboardEvent, useRef, useState } from "react"
import css from "./figure.module.css"
import { openHere, Tip, type TipContent } from "./Tip"
import { useTip } from "./useTip"

/** A place in a picture that can be hovered, focused and opened. Pixels are those of the picture. */
export interface Mark extends TipContent {
  id: string
  /** The middle of what can be hit, and how large it is. */
  x: number
  y: number
  width?: number
  height?: number
  /** Enter or a click does this; unless given, they do what the tooltip's link does. */
  onPick?: () => void
}

interface MarksProps {
  marks: readonly Mark[]
  /** What the marks are, for a screen reader: "9 experiments". */
  name: string
  /** Keys besides the arrows; true when it used the key. */
  onKey?: (event: KeyboardEvent, place: number) => boolean
}

/**
 * Buttons over the picture, one tab stop for all of them: ←/→ move, Home and End go to the ends, Esc closes the
 * tooltip. They stand beside the SVG since a picture (`role="img"`) must not hold what can be focused.
 */
export function Marks({ marks, name, onKey }: MarksProps) {
  const [current, setCurrent] = useState(0)
  const group = useRef<HTMLDivElement>(null)
  const tip = useTip<string>()
  const stop = Math.min(current, marks.length - 1)
  const shown = tip.open && marks.find((mark) => mark.id === tip.open?.key)

  const focus = (place: number) => {
    setCurrent(place)
    const target = group.current?.children[place]
    if (target instanceof HTMLElement) target.focus()
  }
  const onKeyDown = (event: KeyboardEvent, place: number) => {
    if (onKey?.(event, place)) return
    const next = nextPlace(event.key, place, marks.length)
    if (next === null) {
      if (event.key !== "Escape" || !tip.open) return
      tip.close()
    } else focus(next)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <div ref={group} className={css.marks} role="group" aria-label={name}>
        {marks.map((mark, index) => {
          const { width = 14, height = 14 } = mark
          const shared = {
            className: css.mark,
            "aria-label": markLabel(mark),
            tabIndex: index === stop ? 0 : -1,
            style: { left: mark.x - width / 2, top: mark.y - height / 2, width, height },
            onFocus: (event: { currentTarget: Element }) => {
              setCurrent(index)
              tip.show(mark.id, event.currentTarget)
            },
            onBlur: tip.leave,
            onPointerEnter: (event: { currentTarget: Element }) => tip.show(mark.id, event.currentTarget),
            onPointerLeave: tip.leave,
            onKeyDown: (event: KeyboardEvent) => onKeyDown(event, index),
          }
          return mark.href && !mark.onPick ? (
            <a key={mark.id} href={mark.href} onClick={(event) => openHere(event, mark)} {...shared} />
          ) : (
            <button key={mark.id} type="button" onClick={mark.onPick ?? mark.onOpen} {...shared} />
          )
        })}
      </div>
      {tip.open && shown && (
        <Tip content={shown} anchor={tip.open.anchor} onStay={tip.stay} onLeave={tip.leave} onClose={tip.close} />
      )}
    </>
  )
}

/** Where a key leads among so many marks; null when the key does not move. */
export function nextPlace(key: string, place: number, count: number): number | null {
  if (key === "ArrowRight" || key === "ArrowDown") return Math.min(count - 1, place + 1)
  if (key === "ArrowLeft" || key === "ArrowUp") return Math.max(0, place - 1)
  if (key === "Home") return 0
  return key === "End" ? count - 1 : null
}

function markLabel(mark: Mark): string {
  return [mark.title, ...(mark.details ?? []).map(([name, value]) => `${name} ${value}`)].join(", ")
}

import { type MouseEvent, useLayoutEffect, useRef } from "react"
import css from "./figure.module.css"

/** What the tooltip of a mark says. */
export interface TipContent {
  title: string
  /** Names and exact values, in rows. */
  details?: readonly (readonly [string, string])[]
  /** Where the rows behind the number are. */
  href?: string
  /** Goes there within the page; `href` alone loads it anew. */
  onOpen?: () => void
  /** "rows behind this" unless given. */
  linkText?: string
}

interface TipProps {
  content: TipContent
  anchor: Element
  /** The pointer or the focus is in the tooltip, so that it stays. */
  onStay: () => void
  onLeave: () => void
  onClose: () => void
}

/** A popover beside its anchor, in the top layer, so that no table or panel cuts it. */
export function Tip({ content, anchor, onStay, onLeave, onClose }: TipProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    if (!node.matches(":popover-open")) node.showPopover()
    const mark = anchor.getBoundingClientRect()
    const place = tipPlace(mark, node.getBoundingClientRect(), window.innerWidth, window.innerHeight)
    node.style.left = `${place.left}px`
    node.style.top = `${place.top}px`
  }, [anchor, content])
  return (
    <div
      ref={box} popover="manual" className={css.tip} onPointerEnter={onStay} onPointerLeave={onLeave} onFocus={onStay}
      onBlur={onLeave}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.stopPropagation()
        event.preventDefault()
        onClose()
      }}
    >
      <div className={css.tipTitle}>{content.title}</div>
      {content.details && content.details.length > 0 && (
        <dl>
          {content.details.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {(content.href || content.onOpen) && (
        <a href={content.href ?? "#"} onClick={(event) => openHere(event, content)}>
          {content.linkText ?? "rows behind this"}
        </a>
      )}
    </div>
  )
}

/** A plain click stays in the page; with a modifier the browser opens the address as it always does. */
export function openHere(event: MouseEvent, target: { href?: string; onOpen?: () => void }): void {
  if (!target.onOpen) return
  if (target.href && (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0)) return
  event.preventDefault()
  target.onOpen()
}

interface Box { left: number; top: number; width: number; height: number }

/** Below the mark and centred on it; above where there is no room; always whole within the window. */
export function tipPlace(mark: Box, tip: Box, width: number, height: number): { left: number; top: number } {
  const gap = 6
  const centred = mark.left + mark.width / 2 - tip.width / 2
  const below = mark.top + mark.height + gap
  const fits = below + tip.height + gap <= height
  return {
    left: Math.max(gap, Math.min(centred, width - tip.width - gap)),
    top: Math.max(gap, fits ? below : mark.top - tip.height - gap),
  }
}

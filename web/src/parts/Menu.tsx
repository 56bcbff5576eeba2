import type { KeyboardEvent, ReactNode } from "react"
import { useId, useRef, useState } from "react"
import styles from "./Menu.module.css"

export interface MenuItem {
  id: string
  label: ReactNode
  onSelect: () => void
  danger?: boolean
  /** Why it cannot be chosen now. */
  refused?: string | undefined
}

/** A button with a menu below it. Esc, a click elsewhere or a choice closes it. */
export function Menu({ label, items, title }: { label: ReactNode; items: readonly MenuItem[]; title?: string }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  function choices(): HTMLElement[] {
    return [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])]
  }
  function place(): void {
    const at = button.current?.getBoundingClientRect()
    if (!at || !menu.current) return
    const left = Math.max(4, Math.min(at.left, window.innerWidth - menu.current.offsetWidth - 4))
    const below = at.bottom + menu.current.offsetHeight + 8 < window.innerHeight
    menu.current.style.left = `${left}px`
    menu.current.style.top = `${below ? at.bottom + 4 : Math.max(4, at.top - menu.current.offsetHeight - 4)}px`
  }
  function onKeyDown(event: KeyboardEvent): void {
    const all = choices()
    const now = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: now + 1, ArrowUp: now - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      all[to % all.length]?.focus()
    } else if (event.key === "Tab") menu.current?.hidePopover()
  }
  return (
    <>
      <button ref={button} type="button" popoverTarget={id} aria-haspopup="menu" aria-expanded={open} title={title}>
        {label}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={title ?? (typeof label === "string" ? label : "Menu")}
        className={styles.menu}
        onKeyDown={onKeyDown}
        onToggle={(event) => {
          const nowOpen = event.newState === "open"
          setOpen(nowOpen)
          if (!nowOpen) return
          place()
          choices()[0]?.focus()
        }}
      >
        {items.map((item) => (
          <button
            key={item.id}
            type="button"
            role="menuitem"
            tabIndex={-1}
            data-kind={item.danger ? "danger" : "plain"}
            aria-disabled={item.refused !== undefined}
            title={item.refused}
            onClick={() => {
              if (item.refused !== undefined) return
              menu.current?.hidePopover()
              item.onSelect()
            }}
          >
            {item.label}
            {item.refused !== undefined && <span className={styles.refused}>{item.refused}</span>}
          </button>
        ))}
      </div>
    </>
  )
}

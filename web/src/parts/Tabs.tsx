import type { KeyboardEvent, ReactNode } from "react"
import { useId, useRef } from "react"
import styles from "./Tabs.module.css"

interface Props<T extends string> {
  label: string
  tabs: readonly { id: T; label: ReactNode }[]
  value: T
  onChange: (id: T) => void
  /** The chosen tab's content. */
  children: ReactNode
}

/** Tabs with one panel. Arrow keys change the tab, as the ARIA practices have it. */
export function Tabs<T extends string>({ label, tabs, value, onChange, children }: Props<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  function onKeyDown(event: KeyboardEvent): void {
    const now = tabs.findIndex((tab) => tab.id === value)
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs[to % tabs.length]
    if (!next) return
    event.preventDefault()
    onChange(next.id)
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[tabs.indexOf(next)]?.focus()
  }
  return (
    <div className={styles.frame}>
      <div ref={list} role="tablist" aria-label={label} className={styles.list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === value ? 0 : -1}
            className={styles.tab}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className={styles.panel}>
        {children}
      </div>
    </div>
  )
}

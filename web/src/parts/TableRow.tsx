import type { MouseEvent, ReactNode, RefObject } from "react"
import { useEffect, useRef } from "react"
import type { Column } from "./TableHead"
import styles from "./Table.module.css"

interface Props<R> {
  row: R
  index: number
  top: number
  height: number
  columns: readonly Column<R>[]
  template: string
  chosen: boolean
  current: boolean
  focusRow: RefObject<HTMLDivElement | null>
  onFocus: () => void
  onOpen: ((row: R) => void) | undefined
  tick: { on: boolean; toggle: () => void } | undefined
  detail: (() => ReactNode) | undefined
  onDetailHeight: (height: number) => void
  acts: boolean
}

export function TableRow<R>(props: Props<R>) {
  const { row, index, top, height, columns, template, chosen, current, focusRow, onOpen, tick, detail, acts } = props
  function click(event: MouseEvent): void {
    if (!onOpen || (event.target as HTMLElement).closest("a, button, input, label, select, summary")) return
    // Whoever marks text wants to copy it.
    if (window.getSelection()?.toString()) return
    onOpen(row)
  }
  return (
    <>
      <div
        ref={current ? focusRow : undefined}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={acts ? chosen || (tick?.on ?? false) : undefined}
        tabIndex={acts ? (current ? 0 : -1) : undefined}
        className={[styles.row, styles.item, chosen && styles.chosen, onOpen && styles.opens].filter(Boolean).join(" ")}
        style={{ gridTemplateColumns: template, height, top }}
        onClick={click}
        onFocus={props.onFocus}
      >
        {tick && (
          <div role="gridcell" className={styles.cell}>
            <input type="checkbox" checked={tick.on} onChange={tick.toggle} aria-label={`Tick row ${index + 1}`} />
          </div>
        )}
        {columns.map((column) => (
          <div
            key={column.id}
            role={acts ? "gridcell" : "cell"}
            className={column.align === "end" ? `${styles.cell} ${styles.end}` : styles.cell}
          >
            {column.cell(row)}
          </div>
        ))}
      </div>
      {detail && (
        <Detail top={top + height} columns={columns.length} onHeight={props.onDetailHeight} acts={acts}>
          {detail()}
        </Detail>
      )}
    </>
  )
}

interface DetailProps {
  top: number
  columns: number
  onHeight: (height: number) => void
  acts: boolean
  children: ReactNode
}

/** What is open below a row, as high as it needs to be. */
function Detail({ top, columns, onHeight, acts, children }: DetailProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => onHeight(element.offsetHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [onHeight])
  return (
    <div ref={box} role="row" className={styles.detail} style={{ top }}>
      <div role={acts ? "gridcell" : "cell"} aria-colspan={columns}>
        {children}
      </div>
    </div>
  )
}

import type { ReactNode } from "react"
import styles from "./Table.module.css"

export const TICK_WIDTH = 28

export interface Column<R> {
  id: string
  head: ReactNode
  cell: (row: R) => ReactNode
  /** Width in pixels; with `grow`, the least, and what is left over is shared in these parts. */
  width: number
  grow?: number
  /** Numbers stand at the end. */
  align?: "end"
  /** The name by which the server sorts; without it the head is no button. */
  sort?: string
  /** Which way the first press sorts. */
  first?: "ascending" | "descending"
  /** What the column means, in a tooltip. */
  title?: string
}

export function sortState<R>(sort: string | undefined, column: Column<R>): "ascending" | "descending" | undefined {
  if (column.sort === undefined || sort === undefined) return undefined
  if (sort === column.sort) return "ascending"
  return sort === `-${column.sort}` ? "descending" : undefined
}

/** The order after a press on a column's head. */
export function nextSort<R>(sort: string | undefined, column: Column<R>): string {
  const now = sortState(sort, column)
  const next = now === undefined ? (column.first ?? "ascending") : now === "ascending" ? "descending" : "ascending"
  return next === "ascending" ? `${column.sort}` : `-${column.sort}`
}

interface Props<R> {
  columns: readonly Column<R>[]
  template: string
  minWidth: number
  height: number
  ticks: boolean
  sort: string | undefined
  onSort: ((column: Column<R>) => void) | undefined
}

export function TableHead<R>({ columns, template, minWidth, height, ticks, sort, onSort }: Props<R>) {
  return (
    <div role="rowgroup" className={styles.head} style={{ minWidth }}>
      <div role="row" aria-rowindex={1} className={styles.row} style={{ gridTemplateColumns: template, height }}>
        {ticks && (
          <div role="columnheader" className={styles.cell}>
            <span className="hidden-text">Ticked</span>
          </div>
        )}
        {columns.map((column) => {
          const state = sortState(sort, column)
          const end = column.align === "end" ? ` ${styles.end}` : ""
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={column.sort !== undefined && onSort ? (state ?? "none") : undefined}
              className={styles.cell + end}
              title={column.title}
            >
              {column.sort !== undefined && onSort ? (
                <button type="button" data-kind="plain" className={styles.sort} onClick={() => onSort(column)}>
                  {column.head}
                  <span aria-hidden="true">{state === "ascending" ? " ▲" : state === "descending" ? " ▼" : ""}</span>
                </button>
              ) : (
                column.head
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

import type { ReactNode } from "react"
import { useEffect, useRef, useState } from "react"
import { useKeys } from "../keys"
import { Loading } from "./Loading"
import { topOf, totalHeight } from "./rowWindow"
import type { Column } from "./TableHead"
import { nextSort, TableHead, TICK_WIDTH } from "./TableHead"
import { TableRow } from "./TableRow"
import styles from "./Table.module.css"
import { useRows } from "./useRows"
import { useSteadyRows } from "./useSteadyRows"

export type { Column }

interface Props<R> {
  /** What the table lists, for its accessible name: "Traces". */
  label: string
  /** undefined while the first page loads. */
  rows: readonly R[] | undefined
  rowKey: (row: R) => string
  columns: readonly Column<R>[]
  /** The current order: a column's `sort` name, `-name` for descending. */
  sort?: string | undefined
  onSort?: (sort: string) => void
  /** Enter, or a click on the row beside its links and buttons. */
  onOpen?: (row: R) => void
  /** Keys of ticked rows; with `onTick`, a first column of boxes. */
  ticked?: ReadonlySet<string>
  onTick?: (row: R) => void
  /** The row that is open: highlighted, and with `detail` shown below it. */
  openKey?: string | undefined
  detail?: (row: R) => ReactNode
  /** New rows are on their way: what is there stays, dimmed. */
  busy?: boolean
  dense?: boolean
  /** There may be more rows; loaded by a button and when the end comes near. */
  more?: { has: boolean; loading: boolean; load: () => void; size?: number } | undefined
  onCancel?: () => void
  /** Another number than before scrolls to the first row. */
  top?: number
}

/** A table of rows of one height, of which only those in sight are drawn. Filter and sort are the server's. */
export function Table<R>(props: Props<R>) {
  const { label, rows, rowKey, columns, sort, onSort, onOpen, onTick, openKey, detail, busy, dense, more } = props
  const height = dense ? 24 : 32
  const count = rows?.length ?? 0
  const openAt = openKey === undefined || !rows ? -1 : rows.findIndex((row) => rowKey(row) === openKey)
  const [detailHeight, setDetailHeight] = useState(240)
  const open = detail && openAt >= 0 ? { at: openAt, height: detailHeight } : null
  const { box, first, end, onScroll, show } = useRows(count, height, height, open)
  const { current, move, focusRow, setCurrent } = useCurrentRow(count, openAt, show)
  useSteadyRows(rows, rowKey, box, height, (added) => setCurrent((before) => before + added))
  const { top = 0 } = props
  useEffect(() => {
    if (top > 0) box.current?.scrollTo({ top: 0 })
  }, [top, box])
  const ticks = onTick !== undefined
  const acts = onOpen !== undefined || ticks
  const openCurrent = () => rows?.[current] !== undefined && onOpen?.(rows[current])
  const tickCurrent = () => rows?.[current] !== undefined && onTick?.(rows[current])
  useKeys(
    {
      // The first press goes to where one is, the next ones move on.
      "row.next": () => move(current + (box.current?.contains(document.activeElement) ? 1 : 0)),
      "row.previous": () => move(current - 1),
      "row.first": () => move(0),
      "row.last": () => move(count - 1),
      ...(onOpen ? { "row.open": openCurrent } : {}),
      ...(onTick ? { "row.tick": tickCurrent } : {}),
    },
    { scope: box, on: acts && count > 0 },
  )
  useLoadNearEnd(more, count > 0 && end >= count - 5, count)
  if (!rows) return <Loading what={label.toLowerCase()} rows={8} rowHeight={height} onCancel={props.onCancel} />

  // The row with the focus stays in the page when it is scrolled out of sight; else the focus would be lost.
  const drawn = Array.from({ length: end - first }, (_, index) => first + index)
  if (current < count && (current < first || current >= end)) drawn.push(current)
  const minWidth = columns.reduce((sum, column) => sum + column.width + 8, ticks ? TICK_WIDTH + 16 : 8)
  const template = (ticks ? `${TICK_WIDTH}px ` : "") + columns.map(track).join(" ")
  return (
    <div className={styles.frame} aria-busy={busy ?? false}>
      <div
        ref={box}
        className={busy ? `${styles.box} ${styles.busy}` : styles.box}
        onScroll={onScroll}
        role={acts ? "grid" : "table"}
        aria-label={label}
        aria-rowcount={more?.has ? -1 : count + 1}
        aria-colcount={columns.length + (ticks ? 1 : 0)}
        tabIndex={acts ? undefined : 0}
      >
        <TableHead
          columns={columns}
          template={template}
          minWidth={minWidth}
          height={height}
          ticks={ticks}
          sort={sort}
          onSort={onSort && ((column: Column<R>) => onSort(nextSort(sort, column)))}
        />
        <div role="rowgroup" className={styles.body} style={{ height: totalHeight(count, height, open), minWidth }}>
          {drawn.map((index) => {
            const row = rows[index] as R
            const key = rowKey(row)
            return (
              <TableRow
                key={key}
                row={row}
                index={index}
                top={topOf(index, height, open)}
                height={height}
                columns={columns}
                template={template}
                chosen={key === openKey}
                current={index === current}
                focusRow={focusRow}
                onFocus={() => setCurrent(index)}
                onOpen={onOpen}
                tick={onTick && { on: props.ticked?.has(key) ?? false, toggle: () => onTick(row) }}
                detail={index === open?.at && detail ? () => detail(row) : undefined}
                onDetailHeight={setDetailHeight}
                acts={acts}
              />
            )
          })}
        </div>
      </div>
      {more?.has && (
        <button type="button" className={styles.more} onClick={more.load} disabled={more.loading}>
          {more.loading ? "Loading…" : `Load ${more.size ?? 50} more`}
        </button>
      )}
    </div>
  )
}

function track<R>(column: Column<R>): string {
  return column.grow ? `minmax(${column.width}px, ${column.grow}fr)` : `${column.width}px`
}

/** Loads more when the end comes near, once per page: after a failure only the button tries again. */
function useLoadNearEnd(more: Props<never>["more"], near: boolean, count: number): void {
  const asked = useRef(-1)
  useEffect(() => {
    if (!more?.has || more.loading || !near || asked.current === count) return
    asked.current = count
    more.load()
  }, [more, near, count])
}

/** Which row the keys act on. It takes the focus once a key has moved to it. */
function useCurrentRow(count: number, openAt: number, show: (index: number) => void) {
  const [current, setCurrent] = useState(Math.max(0, openAt))
  const [moved, setMoved] = useState(0)
  const focusRow = useRef<HTMLDivElement | null>(null)
  useEffect(() => {
    if (moved > 0) focusRow.current?.focus({ preventScroll: true })
  }, [moved])
  useEffect(() => {
    if (current >= count && count > 0) setCurrent(count - 1)
  }, [current, count])
  function move(to: number): void {
    const index = Math.min(count - 1, Math.max(0, to))
    setCurrent(index)
    show(index)
    setMoved((before) => before + 1)
  }
  return { current, setCurrent, move, focusRow }
}

import { type KeyboardEvent, type ReactNode, useId } from "react"
import { countWords } from "../words/format"
import css from "./figure.module.css"
import { type Mark, Marks } from "./Marks"

/** The numbers of a picture as a table. The first cell of a row names it. */
export interface DataTable {
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

export interface FigureProps {
  /** One sentence with the finding; it is visible, and names the picture for a screen reader. */
  caption: string
  width: number
  height: number
  /** What stands inside the SVG. */
  children: ReactNode
  table: DataTable
  /** What can be hovered and focused, in the order of the arrow keys. */
  marks?: readonly Mark[]
  /** What the marks are: "9 experiments". */
  marksName?: string
  onMarkKey?: (event: KeyboardEvent, place: number) => boolean
  /** Stands above the caption: a heading, a badge. */
  head?: ReactNode
  /** Lies under the marks and over the picture, such as a brush. */
  overlay?: ReactNode
}

const LEAST_CAPTION = 260 // pixels; a narrower column of words is hard to read

/** A picture with its finding in words, its numbers as a table, and marks that hover and focus alike. */
export function Figure({
  caption, width, height, children, table, marks = [], marksName, onMarkKey, head, overlay,
}: FigureProps) {
  const id = useId()
  return (
    <figure className={css.figure} style={{ width: Math.max(width, LEAST_CAPTION) }}>
      <figcaption id={id}>
        {head}
        {caption}
      </figcaption>
      <div className={css.scroll}>
        <div className={css.picture} style={{ width, height }}>
          <svg role="img" aria-labelledby={id} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
            {children}
          </svg>
          {overlay}
          {marks.length > 0 && <Marks marks={marks} name={marksName ?? countWords(marks.length, "mark")} onKey={onMarkKey} />}
        </div>
      </div>
      <Data table={table} />
    </figure>
  )
}

/** "Data as a table", folded. */
export function Data({ table }: { table: DataTable }) {
  return (
    <details className={css.data}>
      <summary>Data as a table</summary>
      <table>
        <thead>
          <tr>
            {table.head.map((name) => (
              <th key={name} scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // Rows have no id of their own, and their order is the picture's.
            <tr key={index}>
              {row.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row">{cell}</th>
                ) : (
                  <td key={column}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

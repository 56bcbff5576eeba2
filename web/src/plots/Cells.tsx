import type { DataTable } from "./figure"
import { Figure } from "./figure"
import css from "./marks.module.css"
import { px } from "./shapes"
import { shortened, textWidth } from "./text"
import type { TipContent } from "./Tip"

export interface CellMark extends TipContent {
  row: number
  column: number
  /** Stands in the cell. */
  text: string
  tone?: "good" | "bad" | "mute" | "unsure"
  /** 0 to 1: the more, the darker. */
  share?: number
  onOpen?: () => void
}

export interface CellsProps {
  rows: readonly string[]
  columns: readonly string[]
  cells: readonly CellMark[]
  caption: string
  /** What a cell is: "84 shares". */
  name: string
  table: DataTable
  /** Width of a column. */
  size?: number
}

const ROW = 28
/** Names of rows and of columns are shortened to these widths. */
const ROW_NAME = 250
const HEAD_NAME = 170

/** A square per row and column, with a sign or a number in it; names of the columns stand aslant above. */
export function Cells({ rows, columns, cells, caption, name, table, size = 44 }: CellsProps) {
  const label = Math.min(ROW_NAME, Math.max(0, ...rows.map((row) => textWidth(row)))) + 10
  const heads = columns.map((head) => shortened(head, HEAD_NAME))
  const slant = Math.max(0, ...heads.map((head) => textWidth(head))) * 0.71
  const top = slant + 16
  const width = label + size * columns.length + slant
  return (
    <Figure
      caption={caption} width={width} height={top + ROW * rows.length + 6} table={table} marksName={name}
      marks={cells.map(({ row, column, text: _, tone: __, share: ___, ...tip }) => ({
        ...tip, id: `${row}/${column}`, x: label + size * (column + 0.5), y: top + ROW * (row + 0.5), width: size - 2, height: ROW - 2,
      }))}
    >
      {heads.map((head, at) => (
        <text key={columns[at]} className={css.text} transform={`translate(${px(label + size * (at + 0.5))} ${px(top - 6)}) rotate(-45)`}>
          {head}
        </text>
      ))}
      {rows.map((row, at) => (
        <text key={row} className={`${css.text} ${css.end}`} x={label - 8} y={px(top + ROW * (at + 0.5) + 4)}>
          {shortened(row, ROW_NAME)}
        </text>
      ))}
      {cells.map((cell) => (
        <g key={`${cell.row}/${cell.column}`}>
          <rect
            className={cell.share === undefined ? css.stripe : css.heat}
            style={cell.share === undefined ? undefined : { fillOpacity: 0.06 + 0.5 * cell.share }}
            x={px(label + size * cell.column + 1)} y={px(top + ROW * cell.row + 1)} width={size - 2} height={ROW - 2} rx={3}
          />
          <text
            className={`${css.text} ${css.middle} ${toneOf(cell.tone)}`}
            x={px(label + size * (cell.column + 0.5))} y={px(top + ROW * (cell.row + 0.5) + 4)}
          >
            {cell.text}
          </text>
        </g>
      ))}
    </Figure>
  )
}

function toneOf(tone: CellMark["tone"]): string {
  if (tone === "good") return css.good ?? ""
  return (tone === "bad" ? css.bad : tone === "mute" ? css.same : tone === "unsure" ? css.unsure : "") ?? ""
}

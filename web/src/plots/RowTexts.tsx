import css from "./marks.module.css"
import { baselines, PAD, type RowLayout } from "./rows"

interface RowTextsProps {
  layout: RowLayout
  width: number
  /** Every second row has a background. */
  striped?: boolean
}

/** Labels at the left and words at the right of each row, in as many lines as they need. */
export function RowTexts({ layout, width, striped = true }: RowTextsProps) {
  return (
    <g>
      {layout.rows.map((row, index) => (
        <g key={row.top}>
          {striped && index % 2 === 1 && (
            <rect className={css.stripe} x={0} y={row.top} width={width} height={row.height} />
          )}
          <Lines lines={row.label} x={PAD} middle={row.middle} isQuiet={row.isQuiet} />
          <Lines lines={row.right} x={layout.rightAt} middle={row.middle} isQuiet={row.isQuiet} />
        </g>
      ))}
    </g>
  )
}

function Lines({ lines, x, middle, isQuiet = false }: { lines: readonly string[]; x: number; middle: number; isQuiet?: boolean | undefined }) {
  const at = baselines(middle, lines.length)
  return lines.map((line, index) => (
    <text key={at[index]} className={isQuiet ? `${css.text} ${css.same}` : css.text} x={x} y={at[index]}>{line}</text>
  ))
}

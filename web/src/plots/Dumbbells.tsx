import { countWords, deltaText, scoreText } from "../words/format"
import { claimWords } from "../words/iterations"
import { Axis, axisHeight } from "./Axis"
import own from "./Dumbbells.module.css"
import { Figure } from "./figure"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { RowTexts } from "./RowTexts"
import { rowLayout } from "./rows"
import { linear } from "./scale"
import { px } from "./shapes"

export interface ClaimRow {
  id: string
  name: string
  /** Null when nothing was claimed. */
  claimed: number | null
  /** Null when no fact is known. */
  observed: number | null
  /** What was observed, in words. */
  detail?: string | undefined
  href?: string | undefined
  onOpen?: (() => void) | undefined
}

const OPEN_RADIUS = 4.5

/** Claimed ○ and observed ●, with a line between: how far the claim is from the fact. */
export function Dumbbells({ rows, caption, width = 720 }: { rows: readonly ClaimRow[]; caption?: string; width?: number }) {
  const layout = rowLayout(rows.map((row) => ({ label: row.name, right: gapWords(row) })), width, 24)
  const scale = linear([0, 1], layout.plot)
  const marks: Mark[] = rows.map((row, index) => ({
    id: row.id, title: row.name, details: details(row), href: row.href, onOpen: row.onOpen, linkText: "the iteration",
    x: (layout.plot[0] + layout.plot[1]) / 2, y: layout.rows[index]?.middle ?? 0, width: layout.plot[1] - layout.plot[0] + 12,
    height: (layout.rows[index]?.height ?? 24) - 2,
  }))
  return (
    <Figure
      caption={caption ?? claimsSentence(rows)} width={width} height={layout.axisAt + axisHeight(true)} marks={marks}
      marksName={countWords(rows.length, "claim")}
      table={{
        head: ["claim", "claimed", "observed", "difference", "what was observed"],
        rows: rows.map((row) => [row.name, valueText(row.claimed), valueText(row.observed), deltaText(gap(row)), row.detail || "–"]),
      }}
    >
      <RowTexts layout={layout} width={width} />
      <Axis scale={scale} at={layout.axisAt} gridFrom={0} words="○ claimed   ● observed" />
      {rows.map((row, index) => {
        const middle = layout.rows[index]?.middle ?? 0
        const delta = gap(row)
        return (
          <g key={row.id} className={(delta ?? 0) < -1e-9 ? own.over : undefined}>
            {delta !== null && <path className={own.line} d={`M${px(scale.inside(row.claimed ?? 0))} ${middle}H${px(scale.inside(row.observed ?? 0))}`} />}
            {row.observed !== null && <circle className={own.observed} cx={px(scale.inside(row.observed))} cy={middle} r={3} />}
            {row.claimed !== null && <circle className={own.claimed} cx={px(scale.inside(row.claimed))} cy={middle} r={OPEN_RADIUS} />}
            {row.claimed === null && row.observed === null && <path className={css.axis} d={`M${px(scale.inside(0))} ${middle}h6`} />}
          </g>
        )
      })}
    </Figure>
  )
}

/** Observed minus claimed; null when one of them is not known. */
function gap(row: ClaimRow): number | null {
  return row.claimed === null || row.observed === null ? null : row.observed - row.claimed
}

function gapWords(row: ClaimRow): string {
  const delta = gap(row)
  if (delta === null) return row.claimed === null ? "nothing claimed" : "no fact known"
  if (Math.abs(delta) <= 1e-9) return "◆ as claimed"
  return delta < 0 ? `▼ ${deltaText(delta)} claimed too much` : `▲ ${deltaText(delta)} better than claimed`
}

function details(row: ClaimRow): [string, string][] {
  const rows: [string, string][] = [["claimed", valueText(row.claimed)], ["observed", valueText(row.observed)]]
  return row.detail ? [...rows, ["from", row.detail]] : rows
}

function valueText(value: number | null): string {
  return value === null ? "not known" : scoreText(value)
}

/** One claim as a whole, several as counts. */
function claimsSentence(rows: readonly ClaimRow[]): string {
  const [only] = rows
  if (!only) return "no claim is there to compare"
  if (rows.length === 1) return `${only.name}: ${claimWords(only.claimed, only.observed)}`
  const known = rows.map(gap).filter((delta) => delta !== null)
  const over = known.filter((delta) => delta < -1e-9).length
  return `${countWords(rows.length, "claim")}, ${known.length} with a fact: ${over} claimed too much, ${known.length - over} did not`
}

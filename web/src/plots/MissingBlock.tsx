import { countText } from "../words/format"
import css from "./marks.module.css"
import { hatch, px } from "./shapes"
import type { Segment } from "./swarm"
import { textWidth, wrapped } from "./text"

export interface MissingRoom {
  width: number
  gap: number
  /** Width of the block itself. */
  block: number
  /** Each reason's lines. */
  lines: string[][]
  height: number
}

const LINE = 14
const BLOCK = 26
const GAP = 14

/** How much room the runs without a score take at the right; none where there are none. */
export function missingRoom(reasons: readonly (readonly [string, number])[], width: number): MissingRoom {
  if (reasons.length === 0) return { width: 0, gap: 0, block: BLOCK, lines: [], height: 0 }
  const texts = reasons.map(([reason, count]) => `${countText(count)} ${reason}`)
  const text = Math.min(width * 0.28, Math.max(textWidth("no score"), ...texts.map((text) => textWidth(text, 11))))
  const lines = texts.map((one) => wrapped(one, text, 11))
  return {
    width: GAP + BLOCK + 6 + text + 4, gap: GAP, block: BLOCK, lines,
    height: 20 + (lines.flat().length + lines.length / 2) * LINE,
  }
}

/** Hatched segments, one per reason, with the reasons in words beside them. */
export function MissingBlock(
  { segments, x, room, foot }: { segments: readonly Segment[]; x: number; room: MissingRoom; foot: number }
) {
  if (segments.length === 0) return null
  const textX = x + room.block + 6
  let line = 16
  return (
    <g>
      <text className={css.tick} x={textX} y={12}>no score</text>
      <path className={css.axis} d={`M${px(x)} ${foot}h${room.block}`} />
      {segments.map(({ reason, top, bottom }, place) => {
        const step = [5, 8, 3.5][place % 3]
        const texts = room.lines[place] ?? []
        const first = line
        line += texts.length * LINE + LINE / 2
        return (
          <g key={reason}>
            <path className={css.hatch} d={hatch(x, top, x + room.block, bottom, step)} />
            <path className={css.axis} d={`M${px(x)} ${px(top)}h${room.block}V${px(bottom)}h${-room.block}Z`} />
            {texts.map((text, at) => (
              <text key={text} className={css.tick} x={textX} y={first + (at + 1) * LINE}>{text}</text>
            ))}
          </g>
        )
      })}
    </g>
  )
}

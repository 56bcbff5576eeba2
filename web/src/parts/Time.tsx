import { timeAttributes, timeText } from "../words/time"

/** A point in time, with the exact one in its tooltip. */
export function Time({ at }: { at: string | null }) {
  const attributes = timeAttributes(at)
  if (!attributes) return <span>{timeText(at, 0)}</span>
  return <time {...attributes}>{timeText(at, Date.now())}</time>
}

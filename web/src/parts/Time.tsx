import { timeAttributes, timeText } from "../words/time"

/** A point in time, with the exact one in its tooltip. `short` leaves out the clock of what is older than a week. */
export function Time({ at, short = false }: { at: string | null; short?: boolean }) {
  const attributes = timeAttributes(at)
  if (!attributes) return <span>{timeText(at, 0)}</span>
  return <time {...attributes}>{timeText(at, Date.now(), short)}</time>
}

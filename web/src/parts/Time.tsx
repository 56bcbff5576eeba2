const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** "15 Nov 2026 06:42 UTC" */
export function exactTime(at: Date): string {
  const clock = at.toISOString().slice(11, 16)
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()} ${clock} UTC`
}

/** Relative under seven days, exact beyond; the future is always exact. */
export function timeWords(at: Date, now: number): string {
  const seconds = (now - at.getTime()) / 1000
  if (seconds < -5 || seconds >= 7 * 86_400) return exactTime(at)
  if (seconds < 60) return "just now"
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  const days = Math.floor(seconds / 86_400)
  return days === 1 ? "1 day ago" : `${days} days ago`
}

/** A point in time, with the exact one in its tooltip. */
export function Time({ at }: { at: string }) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <span>{at}</span>
  return (
    <time dateTime={at} title={exactTime(date)}>
      {timeWords(date, Date.now())}
    </time>
  )
}

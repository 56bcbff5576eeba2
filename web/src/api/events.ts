// The server's event stream: says what kinds of things have changed, so that the page asks for them again.
import { BASE } from "../address"
import { isOnline, onOnlineChange, pause, ping } from "./online"
import type { Schemas } from "./queries"

export type ChangeKind = Schemas["ChangeEvent"]["kind"]
type Told = (kinds: readonly ChangeKind[]) => void

const KINDS: readonly ChangeKind[] = ["dataset", "experiment", "iteration", "job", "review", "run", "trace"]
const WITHOUT_STREAM_MS = 5_000

/**
 * Hear of a project's changes until the returned function is called.
 *
 * There is a connection only while the tab is in sight; it goes on where the one before stopped. While the server gives no
 * stream, everything may have changed, and that is said every few seconds.
 */
export function hearChanges(project: string, told: Told): () => void {
  let source: EventSource | undefined
  let place = ""
  let attempt = 0
  let again: ReturnType<typeof setTimeout> | undefined
  let meanwhile: ReturnType<typeof setInterval> | undefined
  let isOver = false

  function connect(): void {
    clearTimeout(again)
    if (isOver || source !== undefined || document.hidden || !isOnline()) return
    const query = new URLSearchParams({ project_id: project, ...(place === "" ? {} : { after: place }) })
    // A proxy may keep a stream back without refusing it: until it has begun, there is none.
    meanwhile ??= setInterval(() => {
      if (!document.hidden && isOnline()) told(KINDS)
    }, WITHOUT_STREAM_MS)
    source = new EventSource(`${BASE}/v1/events?${query}`)
    source.addEventListener("ready", (event) => {
      const isFirst = place === ""
      begin(event)
      // What is shown was asked for before the stream began; what changed in between is in no event.
      if (isFirst) told(KINDS)
    })
    source.addEventListener("reset", (event) => {
      begin(event)
      told(KINDS)
    })
    source.addEventListener("changed", (event) => {
      place = event.lastEventId
      told([(JSON.parse(event.data as string) as Schemas["ChangeEvent"]).kind])
    })
    source.onerror = lost
  }

  function begin(event: MessageEvent): void {
    place = event.lastEventId
    attempt = 0
    clearInterval(meanwhile)
    meanwhile = undefined
  }

  /** A browser's own way to connect again knows neither growing pauses nor that the server is gone. */
  function lost(): void {
    disconnect()
    void ping().then((answers) => {
      clearTimeout(again)
      if (answers) again = setTimeout(connect, pause(attempt++) * 1000)
    })
  }

  function disconnect(): void {
    source?.close()
    source = undefined
  }

  function look(): void {
    if (document.hidden) disconnect()
    else connect()
  }

  const forget = onOnlineChange(() => isOnline() && connect())
  document.addEventListener("visibilitychange", look)
  connect()
  return () => {
    isOver = true
    forget()
    document.removeEventListener("visibilitychange", look)
    clearTimeout(again)
    clearInterval(meanwhile)
    meanwhile = undefined
    disconnect()
  }
}

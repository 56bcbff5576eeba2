// Does the server answer? Set by every request; while it does not, asked again with growing pauses.
import { useSyncExternalStore } from "react"
import { BASE } from "../address"

let online = true
const listeners = new Set<() => void>()

export function setOnline(now: boolean): void {
  if (online === now) return
  online = now
  for (const listen of listeners) listen()
}

export function onOnlineChange(listen: () => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

export function isOnline(): boolean {
  return online
}

export function useOnline(): boolean {
  return useSyncExternalStore(onOnlineChange, isOnline, () => true)
}

/** Seconds to wait before the n-th attempt (from 0): 1, 2, 4 … 30. */
export function pause(attempt: number): number {
  return Math.min(30, 2 ** attempt)
}

/** Ask whether the server is there; any answer will do. */
export async function ping(): Promise<boolean> {
  try {
    await fetch(`${BASE}/healthz`, { cache: "no-store" })
    setOnline(true)
    return true
  } catch {
    setOnline(false)
    return false
  }
}

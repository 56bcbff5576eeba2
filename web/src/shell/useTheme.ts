import { useSyncExternalStore } from "react"
import { announce } from "../live"
import type { Theme } from "../theme"
import { applyTheme, nextTheme, storedTheme, themeCookie } from "../theme"

const listeners = new Set<() => void>()

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function cycle(): void {
  const next = nextTheme(storedTheme(document.cookie))
  document.cookie = themeCookie(next)
  applyTheme(next)
  announce(`Theme: ${next}`)
  for (const listener of listeners) listener()
}

export function useTheme(): { theme: Theme; cycle: () => void } {
  return { theme: useSyncExternalStore(listen, () => storedTheme(document.cookie)), cycle }
}

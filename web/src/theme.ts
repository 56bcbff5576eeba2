// Light, dark, or as the system says. A plain cookie, because the server writes the attribute into the page.
import { BASE } from "./address"

export type Theme = "system" | "light" | "dark"

export function storedTheme(cookies: string): Theme {
  const stored = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookies)?.[1]
  return stored === "light" || stored === "dark" ? stored : "system"
}

export function themeCookie(theme: Theme): string {
  return `theme=${theme === "system" ? "" : theme}; Path=${BASE}/; SameSite=Lax; Max-Age=${theme === "system" ? 0 : 31_536_000}`
}

export function nextTheme(theme: Theme): Theme {
  return theme === "system" ? "dark" : theme === "dark" ? "light" : "system"
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

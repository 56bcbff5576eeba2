import { useState } from "react"
import { announce } from "../live"
import type { Theme } from "../theme"
import { applyTheme, nextTheme, storedTheme, themeCookie } from "../theme"

export function useTheme(): { theme: Theme; cycle: () => void } {
  const [theme, setTheme] = useState(() => storedTheme(document.cookie))
  function cycle(): void {
    const next = nextTheme(storedTheme(document.cookie))
    document.cookie = themeCookie(next)
    applyTheme(next)
    setTheme(next)
    announce(`Theme: ${next}`)
  }
  return { theme, cycle }
}

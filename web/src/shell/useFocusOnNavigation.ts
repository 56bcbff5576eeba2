import { useRouterState } from "@tanstack/react-router"
import type { RefObject } from "react"
import { useEffect, useRef } from "react"
import { announce } from "../live"

/** A new view begins at its top for readers of every kind: focus and words go there. */
export function useFocusOnNavigation(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (before.current !== undefined && before.current !== path) {
      main.current?.focus({ preventScroll: true })
      // The view's own effect has set the title by then.
      setTimeout(() => announce(document.title), 0)
    }
    before.current = path
  }, [path])
  return main
}

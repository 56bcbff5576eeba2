// The URL is the only truth of a view: state that a link must carry lives in its parameters, nowhere else.
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router"
import { useCallback } from "react"
import { PAGE_BASE } from "./address"
import type { Search, StateOf } from "./params"
import { stringifySearch, withoutPlace } from "./params"

export type Patch<S> = { [K in keyof StateOf<S>]?: StateOf<S>[K] | undefined }

/** A view's parameters, and how to change some of them. A changed filter is a step back in history; a place is not. */
export function useViewState<S extends Search>(
  spec: S,
): [StateOf<S>, (patch: Patch<S>, options?: { replace?: boolean }) => void] {
  const read: object = useSearch({ strict: false })
  const state = read as StateOf<S>
  const navigate = useNavigate()
  const change = useCallback(
    (patch: Patch<S>, options?: { replace?: boolean }) => {
      const onlyPlace = Object.keys(patch).every((name) => Object.hasOwn(spec.place, name))
      void navigate({
        to: ".",
        search: ((before: object) => ({ ...before, ...patch })) as never,
        replace: options?.replace ?? onlyPlace,
        resetScroll: false,
      })
    },
    [navigate, spec],
  )
  return [state, change]
}

/** The addresses that `y` and `Y` copy: with the reader's place, and without. */
export function useAddresses(): () => { link: string; view: string } {
  const router = useRouter()
  return useCallback(() => {
    const { pathname, search } = router.state.location
    const spec = router.state.matches.at(-1)?.staticData.search
    const base = window.location.origin + PAGE_BASE + pathname
    const view = spec ? withoutPlace(spec, search) : search
    return { link: base + stringifySearch(search), view: base + stringifySearch(view) }
  }, [router])
}

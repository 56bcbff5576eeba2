import { useRouterState } from "@tanstack/react-router"
import { useState } from "react"
import { withoutBase } from "../address"
import { parseSearch, read } from "../params"
import styles from "./Shell.module.css"

// The router rewrites the address without what it dropped, so the address is remembered as it was opened.
const opened = typeof window === "undefined" ? { path: "", search: "" } : { path: withoutBase(window.location.pathname), search: window.location.search }

/** Says which parameters of the opened address made no sense. */
export function Ignored() {
  const [closed, setClosed] = useState(false)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const spec = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.search })
  if (closed || spec === undefined || path !== opened.path) return null
  const { ignored } = read(spec, parseSearch(opened.search))
  if (ignored.length === 0) return null
  return (
    <section className={styles.notice} aria-label="Ignored parameters">
      <span>
        In this address, ignored: <code>{ignored.join(", ")}</code>
      </span>
      <button type="button" onClick={() => setClosed(true)}>
        Close
      </button>
    </section>
  )
}

// The frame around all views but the login: left bar, notices, main, live region.
import { Outlet, useNavigate, useParams, useRouterState } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useRef, useState } from "react"
import { useKeys } from "../keys"
import { announce } from "../live"
import { copyText } from "../parts/Copy"
import { useAddresses } from "../viewState"
import { Ignored } from "./Ignored"
import { LiveRegion } from "./LiveRegion"
import { NavBar } from "./NavBar"
import { Offline } from "./Offline"
import styles from "./Shell.module.css"
import { useTheme } from "./useTheme"

const KeysDialog = lazy(() => import("./KeysDialog").then((module) => ({ default: module.KeysDialog })))

export function Shell() {
  const { project } = useParams({ strict: false })
  const main = useFocusOnNavigation()
  const [help, setHelp] = useState(false)
  useShellKeys(project, () => setHelp(true))
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <NavBar project={project} onHelp={() => setHelp(true)} />
      <div className={styles.page}>
        <Offline />
        <Ignored />
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          <Outlet />
        </main>
      </div>
      <LiveRegion />
      {help && (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setHelp(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** A new view begins at its top for readers of every kind: focus and words go there. */
function useFocusOnNavigation() {
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

function useShellKeys(project: string | undefined, showHelp: () => void): void {
  const navigate = useNavigate()
  const addresses = useAddresses()
  const { cycle } = useTheme()
  useKeys({
    help: showHelp,
    theme: cycle,
    "copy.link": () => void copyText(addresses().link, "Link copied"),
    "copy.view": () => void copyText(addresses().view, "Link to the view copied"),
  })
  const params = { project: project ?? "" }
  useKeys(
    {
      "go.dashboard": () => void navigate({ to: "/projects/$project", params }),
      "go.traces": () => void navigate({ to: "/projects/$project/traces", params }),
      "go.experiments": () => void navigate({ to: "/projects/$project/experiments", params }),
      "go.datasets": () => void navigate({ to: "/projects/$project/datasets", params }),
    },
    { on: project !== undefined },
  )
}

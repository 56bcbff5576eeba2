// The frame around all views but the login and the review: left bar, notices, main, live region.
import { useQuery } from "@tanstack/react-query"
import { Navigate, Outlet, useNavigate, useParams } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { sessionQuery } from "../api/queries"
import { useKeys } from "../keys"
import { copyText } from "../parts/Copy"
import { Loading } from "../parts/Loading"
import { useAddresses } from "../viewState"
import { Ignored } from "./Ignored"
import { LiveRegion } from "./LiveRegion"
import { NavBar } from "./NavBar"
import { Offline } from "./Offline"
import styles from "./Shell.module.css"
import { useFocusOnNavigation } from "./useFocusOnNavigation"
import { useTheme } from "./useTheme"

const Changes = lazy(() => import("./Changes").then((module) => ({ default: module.Changes })))
const KeysDialog = lazy(() => import("./KeysDialog").then((module) => ({ default: module.KeysDialog })))

export function Shell() {
  const { project } = useParams({ strict: false })
  const main = useFocusOnNavigation()
  const [help, setHelp] = useState(false)
  useShellKeys(project, () => setHelp(true))
  const { data: session, isError } = useQuery(sessionQuery())
  // A reviewer may see the queue alone: whatever is asked for here would be refused.
  if (session?.role === "reviewer") {
    return <Navigate to="/projects/$project/review" params={{ project: session.project_id ?? "" }} replace />
  }
  if (session === undefined && !isError) return <Loading what="the page" />
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
      {project !== undefined && (
        <Suspense fallback={null}>
          <Changes project={project} />
        </Suspense>
      )}
      {help && (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setHelp(false)} />
        </Suspense>
      )}
    </div>
  )
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
      "go.conversations": () => void navigate({ to: "/projects/$project/conversations", params }),
      "go.experiments": () => void navigate({ to: "/projects/$project/experiments", params }),
      "go.iterations": () => void navigate({ to: "/projects/$project/iterations", params }),
      "go.review": () => void navigate({ to: "/projects/$project/review", params }),
      "go.leaderboard": () => void navigate({ to: "/projects/$project/leaderboard", params }),
      "go.judges": () => void navigate({ to: "/projects/$project/judges", params }),
      "go.datasets": () => void navigate({ to: "/projects/$project/datasets", params }),
    },
    { on: project !== undefined },
  )
}

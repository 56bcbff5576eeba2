// The plain frame around the review: no left bar, one column, large type.
import { useQuery } from "@tanstack/react-query"
import { Link, Navigate, Outlet, useNavigate, useParams } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { asProblem } from "../api/problem"
import type { Session } from "../api/queries"
import { sessionQuery } from "../api/queries"
import { useKeys, withKey } from "../keys"
import { copyText } from "../parts/Copy"
import { Loading } from "../parts/Loading"
import { ProblemBox } from "../parts/Problem"
import { Characters } from "../parts/Text"
import { useAddresses } from "../viewState"
import { Ignored } from "./Ignored"
import { LiveRegion } from "./LiveRegion"
import { Offline } from "./Offline"
import styles from "./ReviewShell.module.css"
import frame from "./Shell.module.css"
import { useFocusOnNavigation } from "./useFocusOnNavigation"
import { useLogOut } from "./useLogOut"
import { useTheme } from "./useTheme"

const KeysDialog = lazy(() => import("./KeysDialog").then((module) => ({ default: module.KeysDialog })))

export function ReviewShell() {
  const { project = "" } = useParams({ strict: false })
  const { data: session, error, refetch } = useQuery(sessionQuery())
  const main = useFocusOnNavigation()
  const [help, setHelp] = useState(false)
  useFrameKeys(project, session, () => setHelp(true))
  const isElsewhere = session !== undefined && session.project_id !== null && session.project_id !== project
  if (isElsewhere) return <Navigate to="/projects/$project/review" params={{ project: session.project_id ?? "" }} replace />
  return (
    <div className={styles.shell}>
      <a className={frame.skip} href="#main">
        Skip to the content
      </a>
      <div>
        <Bar project={project} session={session} onHelp={() => setHelp(true)} />
        <Offline />
        <Ignored />
      </div>
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {session ? <Outlet /> : error ? <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} /> : <Loading what="the review" />}
      </main>
      <LiveRegion />
      {help && (
        <Suspense fallback={null}>
          <KeysDialog onClose={() => setHelp(false)} only={session?.role === "reviewer"} />
        </Suspense>
      )}
    </div>
  )
}

interface BarProps {
  project: string
  session: Session | undefined
  onHelp: () => void
}

function Bar({ project, session, onHelp }: BarProps) {
  const { theme, cycle } = useTheme()
  const logOut = useLogOut()
  return (
    <header className={styles.bar}>
      <Link to="/projects/$project/review" params={{ project }} className={styles.name}>
        Review
      </Link>
      {session?.key_name && (
        <span className={styles.who}>
          <Characters text={session.key_name} />
        </span>
      )}
      <div className={styles.tools}>
        {session !== undefined && session.role !== "reviewer" && (
          <Link to="/projects/$project" params={{ project }}>
            Back to the project
          </Link>
        )}
        <button type="button" data-kind="plain" onClick={cycle} title={withKey("Theme", "theme")}>
          Theme: {theme}
        </button>
        <button type="button" data-kind="plain" onClick={onHelp} title={withKey("Keys", "help")}>
          Keys
        </button>
        <button type="button" data-kind="plain" onClick={() => void logOut()}>
          Log out
        </button>
      </div>
    </header>
  )
}

function useFrameKeys(project: string, session: Session | undefined, showHelp: () => void): void {
  const navigate = useNavigate()
  const addresses = useAddresses()
  const { cycle } = useTheme()
  useKeys({
    help: showHelp,
    theme: cycle,
    "copy.link": () => void copyText(addresses().link, "Link copied"),
    "copy.view": () => void copyText(addresses().view, "Link to the view copied"),
    "go.review": () => void navigate({ to: "/projects/$project/review", params: { project } }),
  })
  useKeys(
    { "go.dashboard": () => void navigate({ to: "/projects/$project", params: { project } }) },
    { on: session !== undefined && session.role !== "reviewer" },
  )
}

// The frame around a view that somebody shared: a line that says so, and the view.
import { useQuery } from "@tanstack/react-query"
import { Outlet, useRouterState } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { asProblem } from "../api/problem"
import type { Session } from "../api/queries"
import { sessionQuery } from "../api/queries"
import { useKeys, withKey } from "../keys"
import { Loading } from "../parts/Loading"
import { ProblemBox } from "../parts/Problem"
import { Time } from "../parts/Time"
import { Icon } from "./Icon"
import { LiveRegion } from "./LiveRegion"
import { Offline } from "./Offline"
import styles from "./SharedShell.module.css"
import { useTheme } from "./useTheme"

const NOUNS = { compare: "comparison", experiment: "experiment", trace: "trace", iteration: "iteration", leaderboard: "leaderboard" }

export function SharedShell() {
  const session = useQuery({ ...sessionQuery(), staleTime: Infinity })
  const share = session.data?.share
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <div className={styles.shell}>
      <Bar session={session.data} />
      <Offline />
      <main id="main" tabIndex={-1} className={styles.main}>
        {session.error ? (
          <Ended>{asProblem(session.error).status === 401 ? asProblem(session.error).message : <ProblemBox problem={asProblem(session.error)} onRetry={() => void session.refetch()} />}</Ended>
        ) : !share ? (
          <Loading what="the shared view" />
        ) : shows(share.path, path) ? (
          <Outlet />
        ) : (
          <Elsewhere path={share.path} noun={NOUNS[share.kind]} />
        )}
      </main>
      <LiveRegion />
    </div>
  )
}

function Bar({ session }: { session: Session | undefined }) {
  const { theme, cycle } = useTheme()
  useKeys({ theme: cycle })
  return (
    <header className={styles.bar}>
      <span className={styles.brand}>
        <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
          <path d="M4 27h24" stroke="currentColor" strokeWidth="3" />
          <path d="M8 27 22 5v22z" fill="currentColor" />
        </svg>
        Gnomon
      </span>
      <span>
        Shared{session?.share ? ` ${NOUNS[session.share.kind]}` : ""}, read only
        {session?.expires_at && (
          <>
            , until <Time at={session.expires_at} />
          </>
        )}
      </span>
      <button type="button" data-kind="plain" className={styles.theme} onClick={cycle} title={withKey("Theme", "theme")}>
        <Icon name="theme" /> Theme: {theme}
      </button>
    </header>
  )
}

function Ended({ children }: { children: ReactNode }) {
  return (
    <div role="alert">
      <h1>This share cannot be shown</h1>
      {typeof children === "string" ? <p>{children}</p> : children}
    </div>
  )
}

function Elsewhere({ path, noun }: { path: string; noun: string }) {
  return (
    <>
      <h1>This is no part of what was shared</h1>
      <p>
        <ToShared path={path} noun={noun} />
      </p>
    </>
  )
}

function ToShared({ path, noun }: { path: string; noun: string }) {
  const basepath = useRouterState({ select: () => window.location.pathname.split("/projects/")[0] })
  return <a href={`${basepath}${path}`}>Back to the shared {noun}</a>
}

/** Whether a path is the shared view's; a comparison may be looked at from both sides. */
export function shows(shared: string, path: string): boolean {
  const of = (address: string): string[] => decodeURIComponent(address.split("?")[0] ?? "").replace(/\/$/, "").split("/")
  const [wanted, here] = [of(shared), of(path)]
  if (wanted[3] === "compare" && here[3] === "compare") {
    return wanted.slice(0, 3).join("/") === here.slice(0, 3).join("/") && wanted.slice(4).sort().join("/") === here.slice(4).sort().join("/")
  }
  return wanted.join("/") === here.join("/")
}

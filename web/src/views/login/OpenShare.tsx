import { useEffect, useRef, useState } from "react"
import { BASE } from "../../address"
import type { Problem } from "../../api/problem"
import { asProblem } from "../../api/problem"
import { openSession } from "../../api/queries"
import { tokenOf } from "../../login"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { useTitle } from "../../title"
import styles from "./Login.module.css"

/** Opens the link of a share: its token becomes a cookie of its own, and the address one that can be reloaded. */
export function OpenShare() {
  useTitle("Shared view")
  const [problem, setProblem] = useState<Problem | null>(null)
  const [token] = useState(() => tokenOf(window.location.hash))
  const begun = useRef(false)
  useEffect(() => {
    // Development runs effects twice.
    if (token === null || begun.current) return
    begun.current = true
    openSession({ share: token })
      .then(({ share }) => {
        // Anew, since a share's page asks as its holder from the start.
        if (share) window.location.replace(`${BASE}/share/${share.id}${share.path}`)
      })
      .catch((thrown: unknown) => setProblem(asProblem(thrown)))
  }, [token])
  return (
    <main className={styles.page}>
      <h1>Shared view</h1>
      {token === null && <p role="alert">This address holds no token. Open the whole link, as you got it.</p>}
      {problem?.status === 401 && (
        <p role="alert" className={styles.refused}>
          ✕ {problem.message}
        </p>
      )}
      {problem && problem.status !== 401 && <ProblemBox problem={problem} />}
      {token !== null && !problem && <Loading what="the shared view" />}
    </main>
  )
}

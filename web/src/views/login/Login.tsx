import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import type { FormEvent } from "react"
import { useEffect, useRef, useState } from "react"
import { BASE } from "../../address"
import { asProblem, Problem } from "../../api/problem"
import { openSession, sessionQuery } from "../../api/queries"
import { codeOf, startOf } from "../../login"
import { ProblemBox } from "../../parts/Problem"
import { loginSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import styles from "./Login.module.css"

const USED_LINK =
  "This link does not work any more: a link works once, and only for some time. Ask whoever sent it to you for a new one, or paste a key."

/** Log in with a key, or with the code of the link that `gnomon serve` prints. The key is kept nowhere. */
export function Login() {
  useTitle("Log in")
  const { logIn, busy, problem } = useLogIn()
  const field = useRef<HTMLInputElement>(null)
  function submit(event: FormEvent): void {
    event.preventDefault()
    const key = field.current?.value.trim() ?? ""
    if (key !== "") void logIn({ key })
  }
  return (
    <main className={styles.page}>
      <h1>Log in to Gnomon</h1>
      <form onSubmit={submit} className={styles.form}>
        <label htmlFor="key">Key</label>
        <input ref={field} id="key" type="password" autoFocus autoComplete="off" spellCheck={false} required aria-describedby="where" />
        <p id="where" className="mute">
          Paste a key, or open the one-use link that you were sent, or that <code>gnomon serve</code> prints. The server keeps
          you logged in for 12 hours; this page does not store the key.
        </p>
        <button type="submit" data-kind="main" disabled={busy}>
          {busy ? "Logging in…" : "Log in"}
        </button>
      </form>
      {problem && <LoginProblem problem={problem} />}
    </main>
  )
}

function LoginProblem({ problem }: { problem: Problem }) {
  if (problem.status !== 401) return <ProblemBox problem={problem} />
  return (
    <p role="alert" className={styles.refused}>
      ✕ {problem.message}
    </p>
  )
}

function useLogIn() {
  const [{ next }] = useViewState(loginSearch)
  const client = useQueryClient()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  /** A link that was opened here before leads to where it led then, as long as its session lasts. */
  async function goOn(): Promise<boolean> {
    const session = await client.fetchQuery(sessionQuery()).catch(() => null)
    if (session !== null) router.history.replace(BASE + startOf(session, next))
    return session !== null
  }
  async function logIn(body: { key: string } | { code: string }): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      const session = await openSession(body)
      client.clear()
      client.setQueryData(sessionQuery().queryKey, session)
      router.history.replace(BASE + startOf(session, next))
    } catch (thrown) {
      const refused = asProblem(thrown)
      const isUsedLink = "code" in body && refused.status === 401
      if (isUsedLink && (await goOn())) return
      setProblem(isUsedLink ? new Problem(401, refused.code, USED_LINK) : refused)
      setBusy(false)
    }
  }
  const used = useRef(false)
  useEffect(() => {
    const code = codeOf(window.location.hash)
    // A code works once, and development runs effects twice.
    if (code === null || used.current) return
    used.current = true
    window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search)
    void logIn({ code })
  })
  return { logIn, busy, problem }
}

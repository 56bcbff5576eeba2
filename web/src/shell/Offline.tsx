import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { useCallback, useEffect, useState } from "react"
import { pause, ping, useOnline } from "../api/online"
import { announce } from "../live"
import styles from "./Shell.module.css"

/** A bar while no server answers: asks again with growing pauses, and then refreshes what failed. */
export function Offline() {
  const online = useOnline()
  const client = useQueryClient()
  const router = useRouter()
  const [attempt, setAttempt] = useState(0)
  const ask = useCallback(async () => {
    if (await ping()) {
      announce("The server answers again")
      void client.invalidateQueries()
      // A view whose file did not come is asked for again, too.
      void router.invalidate()
    } else setAttempt((before) => before + 1)
  }, [client, router])
  useEffect(() => {
    if (online) {
      setAttempt(0)
      return
    }
    const timer = setTimeout(() => void ask(), pause(attempt) * 1000)
    return () => clearTimeout(timer)
  }, [online, attempt, ask])
  if (online) return null
  return (
    <div className={styles.notice} role="alert">
      <span>No server answers. What you typed stays; trying again every {pause(attempt)} s.</span>
      <button type="button" onClick={() => void ask()}>
        Try now
      </button>
    </div>
  )
}

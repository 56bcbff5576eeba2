import { useBlocker } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useEffect, useRef, useState } from "react"
import styles from "./Leaving.module.css"

interface Leaving {
  /** For a dialog: false while there is something to lose, and then the question is shown. */
  mayClose: () => boolean
  /** Stands in the form where it is asked. */
  question: ReactNode
  /** What was typed is stored: nothing is asked any more. */
  release: () => void
}

/** Ask before a form with text in it is closed, before another page is opened and before the window is closed. */
export function useLeaving(dirty: boolean, onClose: () => void): Leaving {
  const [closing, setClosing] = useState(false)
  const released = useRef(false)
  const holds = (): boolean => dirty && !released.current
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => holds() && current.pathname !== next.pathname,
    enableBeforeUnload: holds,
    withResolver: true,
  })
  const blocked = blocker.status === "blocked"
  function stay(): void {
    setClosing(false)
    if (blocked) blocker.reset()
  }
  function leave(): void {
    released.current = true
    if (blocked) blocker.proceed()
    onClose()
  }
  return {
    mayClose: () => {
      if (holds()) setClosing(true)
      return !holds()
    },
    question: closing || blocked ? <Question onStay={stay} onLeave={leave} /> : null,
    release: () => {
      released.current = true
    },
  }
}

function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  return (
    <div role="alert" className={styles.question}>
      <p>What you typed is not stored. Leave it?</p>
      <button ref={stay} type="button" onClick={onStay}>
        Keep writing
      </button>
      <button type="button" data-kind="danger" onClick={onLeave}>
        Leave without saving
      </button>
    </div>
  )
}

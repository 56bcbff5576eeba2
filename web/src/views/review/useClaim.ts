// A card that is open is held for its reader: claimed when it opens, renewed while it is open, given back on leaving.
import { useEffect, useState } from "react"
import type { Problem } from "../../api/problem"
import { asProblem } from "../../api/problem"
import type { Reviewer, Target } from "../../api/review"
import { claimCard, giveBack } from "../../api/review"

export interface Claim {
  /** `taken`: somebody else was first; `lost`: it was held, and somebody else holds it now. */
  state: "none" | "asking" | "mine" | "taken" | "lost"
  /** How often it had run out, as on a machine that slept, before it was held anew: others may have had the card meanwhile. */
  lapses?: number
  problem?: Problem
}

/** Cards whose claim ended with a review that was saved: there is nothing to give back. */
const ended = new Set<string>()
export function endClaim({ type, id }: Target): void {
  ended.add(`${type}/${id}`)
}

/** Claims and givings back reach the server in the order in which they were made. */
let before: Promise<unknown> = Promise.resolve()
function inOrder<T>(call: () => Promise<T>): Promise<T> {
  const result = before.then(call, call)
  before = result.catch(() => undefined)
  return result
}

/** When to renew: at half of what is left, and never in a hurry. */
export function renewAfter(until: string, now: number): number {
  const left = (Date.parse(until) || now) - now
  return Math.max(15_000, Math.min(left / 2, 300_000))
}

export function useClaim(reviewer: Reviewer, target: Target, isWanted: boolean): Claim {
  const { project, annotator, holds } = reviewer
  const { type, id } = target
  const on = isWanted && holds
  const [claim, setClaim] = useState<Claim>({ state: "none" })
  useEffect(() => {
    setClaim({ state: on ? "asking" : "none" })
    if (!on) return
    const [caller, card] = [{ project, annotator, holds }, { type, id }]
    let [isOpen, isHeld] = [true, false]
    let [renewAt, heldUntil, lapses] = [Infinity, Infinity, 0]
    let timer: ReturnType<typeof setTimeout> | undefined
    const hold = async (): Promise<void> => {
      clearTimeout(timer)
      renewAt = Infinity
      const hadLapsed = Date.now() > heldUntil
      try {
        const { claimed_until: until } = await inOrder(() => claimCard(caller, card))
        isHeld = true
        ended.delete(`${type}/${id}`)
        if (!isOpen) return
        if (hadLapsed) lapses += 1
        setClaim({ state: "mine", lapses })
        const wait = renewAfter(until ?? "", Date.now())
        renewAt = Date.now() + wait
        heldUntil = Date.parse(until ?? "") || Infinity
        timer = setTimeout(() => void hold(), wait)
      } catch (thrown) {
        const problem = asProblem(thrown)
        if (isOpen) setClaim(problem.code === "CLAIMED" ? { state: isHeld ? "lost" : "taken" } : { state: "none", problem })
        isHeld = false
      }
    }
    const release = async (keepalive: boolean): Promise<void> => {
      if (isHeld && !ended.has(`${type}/${id}`)) await giveBack(caller, card, keepalive).catch(() => undefined)
    }
    // A closed window runs no effects any more.
    const leave = (): void => void release(true)
    const comeBack = (event: PageTransitionEvent): void => void (event.persisted && hold())
    // The timers of a machine that slept are late by as long as it slept.
    const wake = (): void => void (Date.now() >= renewAt && hold())
    void hold()
    window.addEventListener("pagehide", leave)
    window.addEventListener("pageshow", comeBack)
    window.addEventListener("focus", wake)
    document.addEventListener("visibilitychange", wake)
    return () => {
      isOpen = false
      clearTimeout(timer)
      window.removeEventListener("pagehide", leave)
      window.removeEventListener("pageshow", comeBack)
      window.removeEventListener("focus", wake)
      document.removeEventListener("visibilitychange", wake)
      void inOrder(() => release(false))
    }
  }, [project, annotator, holds, type, id, on])
  return claim
}

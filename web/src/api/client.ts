// The one way to the server: typed by its OpenAPI document, with the session cookie, same origin only.
import createClient from "openapi-fetch"
import { SERVER, SHARE } from "../address"
import { setOnline } from "./online"
import { noServer, problemOf } from "./problem"
import type { paths } from "./schema"

// Only `vite dev` has it: the condition is false in a build, and what follows is left out.
const devKey: string | undefined = import.meta.env.DEV ? import.meta.env.VITE_DEV_KEY : undefined

export const api = createClient<paths>({
  // Absolute, because a Request outside a page (in tests) has no base.
  baseUrl: SERVER,
  credentials: "same-origin",
  // A page that shows a share asks as its holder, also where somebody is logged in beside it.
  headers: { "X-Gnomon": "1", Accept: "application/json", ...(SHARE === undefined ? {} : { "X-Gnomon-Share": SHARE }), ...(devKey ? { Authorization: `Bearer ${devKey}` } : {}) },
})

interface Answer<T> {
  data?: T | undefined
  error?: unknown
  response: Response
}

/** The data of an answer, or a thrown Problem: `call(api.GET("/v1/projects", { signal }))`. */
export async function call<T>(request: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>
  try {
    answer = await request
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === "AbortError") throw thrown
    if (!(thrown instanceof TypeError)) throw thrown
    setOnline(false)
    throw noServer()
  }
  setOnline(true)
  if (answer.response.ok) return answer.data as T
  throw problemOf(answer.response.status, answer.error, answer.response.headers.get("X-Request-Id"))
}

/** The same with the type named: openapi-fetch turns intervals `[number, number]` into plain lists of numbers. */
export function callFor<T>(request: Promise<Answer<unknown>>): Promise<T> {
  return call(request) as Promise<T>
}

/** A key for one press of a button. `crypto.randomUUID` is missing where the page came by plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** The header of a POST that a button makes: `headers: once(key)`. */
export function once(key: string): Record<string, string> {
  return { "Idempotency-Key": key }
}

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { api, call, newIdempotencyKey } from "../../src/api/client"
import { isOnline, pause, setOnline } from "../../src/api/online"
import { asProblem, blocks, fieldMessage, headline, Problem, problemOf, retryable } from "../../src/api/problem"

const envelope = {
  error: {
    code: "INVALID",
    message: "2 fields are wrong",
    details: { errors: [{ index: 0, field: "items[0].input", code: "missing", message: "is needed" }, { nonsense: true }] },
  },
}

describe("problems", () => {
  test("take away what a view has only where it is not true any more", () => {
    const failed = (status: number, more: object = {}) => ({ error: new Problem(status, "X", "x"), data: [], ...more })
    expect([0, 429, 500, 503].map((status) => blocks(failed(status)))).toEqual([false, false, false, false])
    expect([-1, 401, 403, 404].map((status) => blocks(failed(status)))).toEqual([true, true, true, true])
    expect(blocks(failed(503, { data: undefined }))).toBe(true)
    expect(blocks(failed(503, { isFetchNextPageError: true }))).toBe(true)
    expect(blocks({ error: null, data: undefined })).toBe(false)
  })
  test("are read from the envelope", () => {
    const problem = problemOf(422, envelope, "req-1")
    expect(problem).toMatchObject({ status: 422, code: "INVALID", message: "2 fields are wrong", requestId: "req-1" })
    expect(problem.fields).toHaveLength(1)
    expect(fieldMessage(problem, "items")).toBe("is needed")
    expect(fieldMessage(problem, "item")).toBeUndefined()
    expect(fieldMessage(null, "items")).toBeUndefined()
  })
  test("of other senders are said by status", () => {
    for (const body of [null, undefined, "<html>", {}, { error: "x" }, { error: { code: 1 } }]) {
      expect(problemOf(502, body, null)).toMatchObject({ status: 502, code: "HTTP_502" })
    }
  })
  test("have plain words", () => {
    const words = [-1, 0, 401, 403, 404, 409, 422, 429, 500].map((status) => headline(problemOf(status, null, null)))
    expect(new Set(words).size).toBe(words.length)
    expect(headline(problemOf(404, null, null))).toBe("Not here, or not yours")
  })
  test("are worth repeating or not", () => {
    expect([0, 429, 500, 503].every((status) => retryable(problemOf(status, null, null)))).toBe(true)
    expect([400, 401, 403, 404, 409, 422].some((status) => retryable(problemOf(status, null, null)))).toBe(false)
  })
  test("thrown otherwise are the page's own", () => {
    expect(asProblem(new TypeError("x is undefined"))).toMatchObject({ status: -1, message: "x is undefined" })
    expect(asProblem("text").message).toBe("text")
  })
})

describe("calls", () => {
  const fetched = vi.fn<(request: Request) => Promise<Response>>()
  beforeEach(() => {
    fetched.mockReset()
    setOnline(true)
  })
  afterEach(() => setOnline(true))
  const projects = () => call(api.GET("/v1/projects", { fetch: fetched }))
  const failure = async () => projects().then(() => null as never, (thrown: Problem) => thrown)

  test("carry the header that foreign pages cannot send, and no key", async () => {
    fetched.mockResolvedValue(Response.json({ items: [], next_cursor: null, limit: 50 }))
    expect(await projects()).toEqual({ items: [], next_cursor: null, limit: 50 })
    const [request] = fetched.mock.calls[0] as [Request]
    expect(request.headers.get("X-Gnomon")).toBe("1")
    expect(request.headers.get("Authorization")).toBeNull()
    expect(request.credentials).toBe("same-origin")
  })
  test("throw what the server refused", async () => {
    fetched.mockResolvedValue(Response.json(envelope, { status: 422, headers: { "X-Request-Id": "abc" } }))
    expect(await failure()).toMatchObject({ status: 422, code: "INVALID", requestId: "abc" })
    expect(isOnline()).toBe(true)
  })
  test("notice that nobody answers, and that somebody does again", async () => {
    fetched.mockRejectedValue(new TypeError("Failed to fetch"))
    expect(await failure()).toMatchObject({ status: 0, code: "OFFLINE" })
    expect(isOnline()).toBe(false)
    fetched.mockResolvedValue(new Response("<html>", { status: 502 }))
    expect(await failure()).toMatchObject({ status: 502 })
    expect(isOnline()).toBe(true)
  })
  test("that were cancelled are not a problem", async () => {
    fetched.mockRejectedValue(new DOMException("aborted", "AbortError"))
    expect(await failure()).toMatchObject({ name: "AbortError" })
    expect(isOnline()).toBe(true)
  })
})

test("pauses grow to half a minute", () => expect([0, 1, 2, 5, 50].map(pause)).toEqual([1, 2, 4, 30, 30]))

test("every press has its own key", () => {
  const keys = new Set(Array.from({ length: 100 }, newIdempotencyKey))
  expect(keys.size).toBe(100)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
})

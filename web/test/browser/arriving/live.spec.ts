// What others store shows on an open page: announced or inserted, in place, without a reload; also after the server was away.
import type { Locator, Page } from "playwright-core"
import type { Tester, Tests } from "../harness.ts"

const AWAY = /ERR_|Failed to load resource|Failed to fetch/

async function send(t: Tester, path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${t.server.key}`, "Content-Type": "application/json" }
  const answer = await fetch(`${t.server.url}/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

let sent = 0

async function arrive(t: Tester, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => `arrived-${++sent}`)
  const at = new Date().toISOString()
  const spans = names.map((name) => ({ id: `root-${name}`, trace_id: `trace-${name}`, name, start_time: at, end_time: at }))
  await send(t, "/traces/ingest", { project_id: t.server.project, spans })
  return names
}

function traces(page: Page): Locator {
  return page.getByRole("grid", { name: "Traces" })
}

/** The link of a trace in the list. The text of a row will not do: that of `arrived-1` with one span begins as `arrived-11`. */
function listed(page: Page, name: string): Locator {
  return traces(page).getByRole("link", { name, exact: true })
}

/** Where a row stands in the window. */
async function placeOf(row: Locator): Promise<number> {
  return Math.round((await row.boundingBox())?.y ?? Number.NaN)
}

/** Show what is announced until a trace is listed: one that was announced before it may come first, and some come unasked. */
async function showUntil(page: Page, name: string): Promise<void> {
  const row = listed(page, name)
  const button = page.getByRole("button", { name: / new traces? · show$/ })
  while (!(await row.isVisible())) {
    await row.or(button).first().waitFor()
    await button.evaluateAll((buttons) => buttons.forEach((each) => (each as HTMLElement).click()))
  }
}

/** A row in the middle of a list that is scrolled, with the focus. */
async function readInTheMiddle(page: Page): Promise<{ row: Locator; name: string; before: number; index: number }> {
  await traces(page).evaluate((box) => box.scrollTo({ top: 640 }))
  const name = "earlier-75"
  const row = traces(page).getByRole("row", { name: new RegExp(name) })
  await row.focus()
  return { row, name, before: await placeOf(row), index: Number(await row.getAttribute("aria-rowindex")) }
}

export const tests: Tests = {
  "new traces are announced, nothing moves, and they are shown on demand": async (t) => {
    for (const theme of ["light", "dark"] as const) {
      const page = await t.open(`/projects/${t.server.project}/traces`, { theme })
      await traces(page).getByRole("row").nth(1).waitFor()
      const { row, before, index } = await readInTheMiddle(page)
      const names = await arrive(t, 3)
      const button = page.getByRole("button", { name: "3 new traces · show" })
      await button.waitFor()
      t.expect((await placeOf(row)) === before, `the row moved from ${before} to ${await placeOf(row)}`)
      t.expect(Number(await row.getAttribute("aria-rowindex")) === index, "rows were inserted without being asked for")
      t.expect(await row.evaluate((element) => element === document.activeElement), "the focus was lost")
      await t.axe(page, "announced traces")
      await t.shot(page, `live-announced-${theme}`)
      await button.click()
      await listed(page, names[2] as string).waitFor()
      t.expect((await traces(page).evaluate((box) => box.scrollTop)) === 0, "what was asked for is out of sight")
      await button.waitFor({ state: "detached" })
    }
  },
  "what was shown stays when an answer to the list comes that is older": async (t) => {
    const page = await t.open(`/projects/${t.server.project}/traces`)
    await traces(page).getByRole("row").nth(1).waitFor()
    let letGo = (): void => undefined
    const released = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(/\/v1\/traces\?.*cursor=/, async (route) => {
      const response = await route.fetch()
      await released
      await route.fulfill({ response })
    })
    await page.getByRole("button", { name: "Load 50 more" }).click()
    const names = await arrive(t, 2)
    const button = page.getByRole("button", { name: "2 new traces · show" })
    await button.click()
    await button.waitFor({ state: "detached" })
    letGo()
    await page.getByRole("button", { name: "Load 50 more" }).waitFor()
    await listed(page, names[1] as string).waitFor()
    await button.waitFor({ state: "detached" })
  },
  "in live mode they are inserted above, and what is read stays where it is": async (t) => {
    const page = await t.open(`/projects/${t.server.project}/traces?live=true`)
    await traces(page).getByRole("row").nth(1).waitFor()
    const { row, name, before, index } = await readInTheMiddle(page)
    await arrive(t, 2)
    await page.waitForFunction(
      ([text, number]) => [...document.querySelectorAll("[role=row]")].some((one) => one.textContent?.includes(text as string) && one.getAttribute("aria-rowindex") === number),
      [name, String(index + 2)],
    )
    t.expect((await placeOf(row)) === before, `the row moved from ${before} to ${await placeOf(row)}`)
    t.expect(await row.evaluate((element) => element === document.activeElement), "the focus was lost")
    await page.keyboard.press("j")
    const next = await page.evaluate(() => document.activeElement?.getAttribute("aria-rowindex"))
    t.expect(next === String(index + 3), `the next row is ${next}, and should be ${index + 3}`)
    await t.shot(page, "live-inserted")
  },
  "a page without a stream, as behind a proxy that keeps it back, asks every few seconds": async (t) => {
    const page = await t.open("/healthz")
    await page.route("**/v1/events?*", () => undefined)
    await page.goto(`${t.server.url}/projects/${t.server.project}/traces`)
    await traces(page).getByRole("row").nth(1).waitFor()
    await arrive(t, 1)
    await page.getByRole("button", { name: "1 new trace · show" }).waitFor()
  },
  "an open conversation shows its next turn": async (t) => {
    const turn = (n: number) => ({ id: "root", trace_id: `turn-${n}`, name: "turn", start_time: `2026-06-01T10:00:0${n}Z`, input: `Question ${n}`, metadata: { "session.id": "talk" } })
    await send(t, "/traces/ingest", { project_id: t.server.project, spans: [turn(1)] })
    const page = await t.open(`/projects/${t.server.project}/conversations/talk`)
    await page.getByRole("listitem", { name: "Turn 1" }).waitFor()
    await send(t, "/traces/ingest", { project_id: t.server.project, spans: [turn(2)] })
    await page.getByRole("listitem", { name: "Turn 2" }).getByText("Question 2").waitFor()
  },
  "a job that somebody else starts is followed to its end": async (t) => {
    const page = await t.open(`/projects/${t.server.project}/jobs`)
    await page.getByText("No jobs yet").waitFor()
    await send(t, `/experiments/${t.server.facts.experiment}/score`, { scorers: [{ scorer_name: "exact_match" }] })
    await page.getByRole("grid", { name: "Jobs" }).getByRole("row", { name: /done/ }).waitFor()
  },
  "what is there stays while a refresh fails": async (t) => {
    const page = await t.open(`/projects/${t.server.project}/experiments`, { allowed: /503/ })
    await page.getByRole("grid", { name: "Experiments" }).getByRole("row").nth(1).waitFor()
    await page.evaluate(() => {
      const seen = new MutationObserver(() => document.querySelector("main [role=alert]") && document.body.setAttribute("data-failed", ""))
      seen.observe(document.body, { childList: true, subtree: true })
    })
    let refused = 0
    const gaveUp = new Promise<void>((resolve) => {
      void page.route("**/v1/experiments?*", async (route) => {
        await route.fulfill({ status: 503, json: { error: { code: "UNAVAILABLE", message: "in a moment" } } })
        if (++refused === 3) resolve()
      })
    })
    const dataset = (await send(t, "/datasets", { project_id: t.server.project, name: "refreshed" }))["id"]
    const draft = (name: string) => ({ project_id: t.server.project, dataset_id: dataset, name })
    await send(t, "/experiments", draft("while it failed"))
    await gaveUp
    await page.unroute("**/v1/experiments?*")
    await send(t, "/experiments", draft("after it failed"))
    await page.getByRole("grid", { name: "Experiments" }).getByRole("link", { name: "after it failed" }).waitFor()
    t.expect((await page.locator("body[data-failed]").count()) === 0, "a refresh that failed took the list away")
  },
  "after the server was away, the page goes on where it was": async (t) => {
    const page = await t.open(`/projects/${t.server.project}/traces`, { allowed: AWAY })
    await traces(page).getByRole("row").nth(1).waitFor()
    const [before] = await arrive(t, 1)
    await page.getByRole("button", { name: "1 new trace · show" }).waitFor()
    await fetch(`${t.server.url}/stop`, { method: "POST" })
    const away = page.getByText("No server answers")
    await away.waitFor()
    await fetch(`${t.server.url}/start`, { method: "POST" })
    await away.waitFor({ state: "detached" })
    const names = await arrive(t, 2)
    await showUntil(page, names[1] as string)
    t.expect(await listed(page, before as string).isVisible(), "what arrived before the server went is not shown")
  },
}

// What a view costs: bytes of the first load, requests and bytes of the API, CPU to the first content.
import type { Page, Request, Response } from "playwright-core"
import { OF_EVERY_VIEW, type Tester, type Tests } from "./harness.ts"

const P = "/projects/support-demo"
const FIRST_LOAD = 130_000
const VIEW_CHUNK = 25_000
const MOST_REQUESTS = 3
const MOST_BYTES = 200_000

interface Cost {
  assets: number
  requests: number
  bytes: number
}

/** Counts what an address loads, in bytes as they travel. What is asked again when the stream of events begins counts once. */
async function costOf(t: Tester, page: Page, address: string, ready: (page: Page) => Promise<void>, least = 1): Promise<Cost> {
  const cost: Cost = { assets: 0, requests: 0, bytes: 0 }
  const bodies: Promise<void>[] = []
  const counted = new Set<string>()
  const open = new Set<Request>()
  const begin = (request: Request): void => void (asksForContent(request.url()) && open.add(request))
  const end = (request: Request): void => void open.delete(request)
  const count = (response: Response): void => {
    if (counted.has(response.url())) return
    counted.add(response.url())
    if (new URL(response.url()).pathname.startsWith("/assets/")) {
      bodies.push(response.request().sizes().then((sizes) => void (cost.assets += sizes.responseBodySize)).catch(() => undefined))
    } else if (asksForContent(response.url())) {
      cost.requests += 1
      bodies.push(response.request().sizes().then((sizes) => void (cost.bytes += sizes.responseBodySize)).catch(() => undefined))
    }
  }
  // What the view before still asks for is none of this one's cost.
  await page.goto(`${t.server.url}/healthz`)
  page.on("response", count).on("request", begin).on("requestfinished", end).on("requestfailed", end)
  await page.goto(t.server.url + address)
  await ready(page)
  // A heading may stand before the first question is asked.
  const isAsked = (): boolean => cost.requests >= least && open.size === 0
  if (!isAsked()) await page.waitForEvent("requestfinished", { predicate: isAsked })
  await page.waitForLoadState("networkidle")
  await Promise.all(bodies)
  page.off("response", count).off("request", begin).off("requestfinished", end).off("requestfailed", end)
  return cost
}

function asksForContent(url: string): boolean {
  const path = new URL(url).pathname
  return path.startsWith("/v1/") && !OF_EVERY_VIEW.has(path)
}

const heading = async (page: Page): Promise<void> => page.getByRole("heading", { level: 1 }).first().waitFor()
const grid = async (page: Page): Promise<void> => page.getByRole("grid").first().getByRole("row").nth(1).waitFor()

/** The address of the card that waits longest. */
async function firstCard(t: Tester): Promise<string> {
  const headers = { Authorization: `Bearer ${t.server.key}` }
  const answer = await fetch(`${t.server.url}/v1/queue?project_id=support-demo&status=pending&limit=1`, { headers })
  const { items } = (await answer.json()) as { items: { target_type: string; target_id: string }[] }
  return `${P}/review/${items[0]?.target_type}/${items[0]?.target_id}`
}

export const tests: Tests = {
  "the first load is light": async (t) => {
    const page = await t.open("/healthz") // which loads nothing
    const cost = await costOf(t, page, "/login", async (page) => page.getByLabel(/key/i).waitFor(), 0)
    t.figure("bytes of the first load", cost.assets)
    t.expect(cost.assets > 50_000, `only ${cost.assets} bytes were counted: the count is wrong`)
    t.expect(cost.assets <= FIRST_LOAD + VIEW_CHUNK, `the first load is ${cost.assets} bytes; at most ${FIRST_LOAD}`)
  },
  "a view asks little of the server": async (t) => {
    const { facts } = t.server
    const views: [string, string, (page: Page) => Promise<void>][] = [
      ["dashboard", P, heading],
      ["traces", `${P}/traces`, grid],
      ["conversations", `${P}/conversations`, grid],
      ["conversation", `${P}/conversations/talk-07`, async (page) => page.getByRole("listitem", { name: "Turn 4" }).waitFor()],
      ["trace of 10,000 spans", "/projects/hostile/traces/wide", async (page) => page.getByRole("treeitem").first().waitFor()],
      ["experiments", `${P}/experiments`, grid],
      ["experiment", `${P}/experiments/${facts["answers-v2"]}`, grid],
      ["compare", `${P}/compare/${facts["answers-v1"]}/${facts["answers-v2"]}`, grid],
      ["iterations", `${P}/iterations`, grid],
      ["iteration", `${P}/iterations/${facts["iteration"]}`, heading],
      ["iteration groups", `${P}/iterations/compare`, async (page) => page.getByRole("figure").first().waitFor()],
      ["integrity", `${P}/integrity`, async (page) => page.getByRole("figure").nth(2).waitFor()],
      ["leaderboard", `${P}/leaderboard`, async (page) => page.getByRole("heading", { name: "Scores and ranks" }).waitFor()],
      ["datasets", `${P}/datasets`, heading],
      ["jobs", `${P}/jobs`, heading],
      ["rules", `${P}/rules`, heading],
      ["playground", `${P}/playground`, heading],
      ["settings", `${P}/settings`, heading],
      ["review queue", `${P}/review`, async (page) => page.getByRole("list", { name: "Cards" }).waitFor()],
      ["review card", await firstCard(t), async (page) => page.getByRole("group", { name: "Was this good?" }).waitFor()],
      ["agreement", `${P}/review/agreement`, heading],
    ]
    const page = await t.open("/healthz")
    for (const [name, address, ready] of views) {
      const cost = await costOf(t, page, address, ready)
      t.figure(`${name}: requests`, cost.requests)
      t.expect(cost.bytes > 0, `nothing was counted for ${name}`)
      t.figure(`${name}: KB`, Math.round(cost.bytes / 100) / 10)
      t.expect(cost.requests <= MOST_REQUESTS, `${name} takes ${cost.requests} requests; at most ${MOST_REQUESTS}`)
      t.expect(cost.bytes <= MOST_BYTES, `${name} takes ${cost.bytes} bytes; at most ${MOST_BYTES}`)
    }
  },
}

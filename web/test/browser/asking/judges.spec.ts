// Judges: the list, the report card, a probe that is started after its cost was seen, and what to label next.
// The server's models are one on loopback.
import type { Page } from "playwright-core"
import { OF_EVERY_VIEW, type Tester, type Tests } from "../harness.ts"

const P = "/projects/support-demo"
const JUDGES = `${P}/judges`
const SLASHED = "team/tone & style?"

function judges(page: Page) {
  return page.getByRole("grid", { name: "Judges" })
}

async function fits(t: Tester, page: Page, name: string): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
  t.expect(!wide, `${name} scrolls sideways`)
}

/** Opens a view in light and dark, wide and narrow: axe finds nothing and nothing scrolls sideways. */
async function looks(t: Tester, path: string, name: string, ready: (page: Page) => Promise<void>): Promise<void> {
  for (const width of [1280, 360]) {
    const page = await t.open(path, { width })
    await ready(page)
    await page.waitForLoadState("networkidle")
    await fits(t, page, `${name} at ${width} px`)
    await t.inBothThemes(page, `${name}-${width}`)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await t.shot(page, `${name}-${width}-below`)
    await t.done(page)
  }
}

const listed = async (page: Page): Promise<void> => judges(page).getByRole("row").nth(1).waitFor()
const carded = async (page: Page): Promise<void> => page.getByRole("heading", { name: "Beside people" }).waitFor()
const labelled = async (page: Page): Promise<void> => page.getByRole("table", { name: "Targets to label" }).getByRole("row").nth(1).waitFor()

async function requests(t: Tester, path: string, ready: (page: Page) => Promise<void>): Promise<number> {
  const asked = new Set<string>()
  const page = await t.open(path, {
    before: (one) => {
      one.on("request", (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith("/v1/") && !OF_EVERY_VIEW.has(pathname)) asked.add(request.url())
      })
    },
  })
  await ready(page)
  await page.waitForLoadState("networkidle")
  return asked.size
}

export const tests: Tests = {
  "from the login it is two clicks to whether a judge can be believed": async (t) => {
    const page = await t.open("/", { key: null, allowed: /401/ })
    await page.getByLabel("Key").fill(t.server.key)
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "Judges", exact: true }).click()
    await judges(page).getByRole("link", { name: /answers_question/ }).first().click()
    await carded(page)
    await page.getByText(/Agrees with people in|No agreement with people is known|Agreement with people/).first().waitFor()
  },
  "a probe is started after its cost was seen, ends as a job, and the card shows it": async (t) => {
    const page = await t.open(`${JUDGES}/answers_question`)
    await carded(page)
    await page.getByRole("button", { name: "Start a probe…" }).click()
    const dialog = page.getByRole("dialog", { name: "Start a probe" })
    await dialog.getByLabel("Targets").fill("0")
    await dialog.getByText("✕ Give a whole number from 1 to 1,000.").waitFor()
    await dialog.getByLabel("Targets").fill("4")
    await dialog.getByText("up to 12").waitFor()
    await dialog.getByText(/about \$0\.0\d+/).waitFor()
    await t.axe(page, "start a probe")
    await t.shot(page, "judges-probe-light")
    await dialog.getByRole("button", { name: "Start the probe" }).click()
    await page.waitForURL(/job=/)
    await page.getByText(/The probe is done: 12 calls/).waitFor()
    const part = page.getByRole("region", { name: "When asked on purpose" })
    await part.getByText("4 targets", { exact: true }).waitFor()
    await part.getByText("12 calls", { exact: true }).waitFor()
    await t.axe(page, "card after a probe")
    await part.getByRole("link", { name: /^Job/ }).click()
    await page.getByRole("heading", { name: /Probe judge/ }).first().waitFor()
    await page.getByText("12 answered").first().waitFor()
  },
  "what to label next fills the review queue": async (t) => {
    const page = await t.open(`${JUDGES}/answers_question`)
    await carded(page)
    await page.getByRole("link", { name: "What to label next" }).first().click()
    await labelled(page)
    await page.getByRole("combobox", { name: "Choose" }).selectOption("informative")
    await page.waitForURL(/mode=informative/)
    await page.getByText(/labels chosen like this are no random part/).waitFor()
    await page.getByRole("combobox", { name: "Choose" }).selectOption({ label: "at random" })
    await page.getByText("drawn at random", { exact: true }).first().waitFor()
    await page.getByRole("button", { name: "Add all to the queue" }).click()
    await page.getByText(/✓ \d+ targets? added/).waitFor()
    const headers = { Authorization: `Bearer ${t.server.key}` }
    const answer = await fetch(`${t.server.url}/v1/queue?project_id=support-demo&status=pending&limit=200`, { headers })
    const { items } = (await answer.json()) as { items: { reason: string | null }[] }
    const queued = items.filter((item) => item.reason === "to measure the judge “answers_question” against people")
    t.expect(queued.length > 0, "no card of the queue says that it was chosen to be labelled next")
    await page.getByRole("button", { name: "Add all to the queue" }).click()
    await page.getByText(/waited already/).waitFor()
  },
  "a judge whose name holds a slash has its card and its list": async (t) => {
    const page = await t.open(JUDGES)
    await judges(page).getByRole("link", { name: SLASHED }).click()
    await page.getByRole("heading", { name: SLASHED, level: 1 }).waitFor()
    await carded(page)
    await page.reload()
    await carded(page)
    await page.getByText(/No agreement with people is known/).first().waitFor()
    await page.getByRole("link", { name: "What to label next" }).first().click()
    await labelled(page)
    await page.reload()
    await labelled(page)
  },
  "a key that may only read sees the cost but starts nothing": async (t) => {
    const page = await t.open(`${JUDGES}/answers_question`, { key: t.server.readKey })
    await carded(page)
    const start = page.getByRole("button", { name: "Start a probe…" })
    t.expect((await start.getAttribute("aria-disabled")) === "true", "a read-only key can start a probe")
    const label = await t.open(`${JUDGES}/answers_question/label`, { key: t.server.readKey })
    await labelled(label)
    const add = label.getByRole("button", { name: "Add all to the queue" })
    t.expect((await add.getAttribute("aria-disabled")) === "true", "a read-only key can fill the queue")
  },
  "each view asks the server at most three times": async (t) => {
    for (const [path, ready] of [[JUDGES, listed], [`${JUDGES}/answers_question`, carded], [`${JUDGES}/answers_question/label`, labelled]] as const) {
      const count = await requests(t, path, ready)
      t.figure(`${path}: requests`, count)
      t.expect(count > 0 && count <= 3, `${path} takes ${count} requests; at most 3`)
    }
  },
  "all views are readable in light and dark, wide and narrow": async (t) => {
    await looks(t, JUDGES, "judges", listed)
    await looks(t, `${JUDGES}/answers_question`, "judge-card", carded)
    await looks(t, `${JUDGES}/fact_verdict`, "judge-card-labels", carded)
    await looks(t, `${JUDGES}/answers_question/label`, "judge-label", labelled)
  },
}

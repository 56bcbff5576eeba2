// A link to one view: made by somebody who writes, opened by somebody without a key, and beside an own login.
import type { Page } from "playwright-core"
import type { Tests } from "./harness.ts"

const P = "/projects/support-demo"

/** Make a link in the dialog of the view that is open, and give its address. */
async function share(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Share…" }).click()
  await page.getByRole("button", { name: "Make a link" }).click()
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue()
  return link
}

/** Requests that were refused, which a shared page must not make. */
function refusals(page: Page): string[] {
  const refused: string[] = []
  page.on("response", (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`)
  })
  return refused
}

export const tests: Tests = {
  "a comparison is shared, looked at without a key, and revoked": async (t) => {
    const { facts } = t.server
    const page = await t.open(`${P}/compare/${facts["answers-v1"]}/${facts["answers-v2"]}?scorer=contains`)
    const link = await share(page)
    t.expect(link.startsWith(`${t.server.url}/share#token=`), `the link is ${link}`)
    await page.getByRole("heading", { name: "Links that work" }).waitFor()
    await t.axe(page, "the dialog to share")
    await t.shot(page, "share-dialog")
    for (const theme of ["light", "dark"] as const) {
      const refused: string[] = []
      const guest = await t.open(link.slice(t.server.url.length), {
        key: null, theme, before: (opened) => { opened.on("response", (answer) => { if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`) }) },
      })
      await guest.waitForURL(/\/share\/[0-9a-f-]{36}\/projects\/support-demo\/compare\//)
      await guest.getByRole("heading", { level: 1, name: /against/ }).waitFor()
      await guest.getByText(/Shared comparison, read only/).waitFor()
      await guest.getByRole("grid").getByRole("row").nth(1).waitFor()
      await guest.waitForLoadState("networkidle")
      t.expect(guest.url().includes("scorer=contains"), "the view's parameters are lost")
      t.expect((await guest.getByRole("navigation").count()) === 0, "a shared page has the left bar")
      t.expect((await guest.getByRole("button", { name: "Share…" }).count()) === 0, "a shared page offers to share")
      t.expect((await guest.locator("main h1 a").count()) === 0, "a shared page links to other views")
      await t.axe(guest, `a shared comparison, ${theme}`)
      await t.shot(guest, `share-compare-${theme}`)
      await guest.getByRole("button", { name: /Swap/ }).click()
      await guest.getByRole("heading", { level: 1, name: /against/ }).waitFor()
      await guest.getByRole("grid").getByRole("row").nth(1).click()
      await guest.waitForLoadState("networkidle")
      await guest.reload()
      await guest.getByRole("grid").getByRole("row").nth(1).waitFor()
      t.expect(refused.length === 0, `a shared page was refused: ${refused.join(", ")}`)
    }
    await page.getByRole("button", { name: "Revoke" }).first().click()
    await page.getByRole("button", { name: "Revoke" }).first().waitFor({ state: "detached" })
    const late = await t.open(link.slice(t.server.url.length), { key: null, allowed: /401/ })
    await late.getByRole("alert").getByText(/does not work any more/).waitFor()
    await t.shot(late, "share-ended")
    await page.getByRole("button", { name: "Make a link" }).click()
    await page.getByRole("button", { name: "Revoke" }).waitFor()
    await page.goto(`${t.server.url}${P}/settings?tab=links`)
    const row = page.getByRole("table", { name: "Shared links" }).getByRole("row", { name: new RegExp(`compare/${facts["answers-v1"]}`) }).first()
    await row.waitFor()
    await t.inBothThemes(page, "shared-links")
    await row.getByRole("button", { name: "Revoke" }).click()
    await page.getByRole("table", { name: "Shared links" }).getByRole("row", { name: new RegExp(`compare/${facts["answers-v1"]}`) }).waitFor({ state: "detached" })
  },

  "a leaderboard and an iteration are shared, each alone": async (t) => {
    const page = await t.open(`${P}/leaderboard`)
    await page.getByRole("heading", { name: "Scores and ranks" }).waitFor()
    const board = await share(page)
    await page.goto(`${t.server.url}${P}/iterations/${t.server.facts["iteration"]}`)
    const iteration = await share(page)
    const guest = await t.open("/login", { key: null, allowed: /401/ })
    const refused = refusals(guest)
    await guest.goto(board)
    await guest.getByText(/Shared leaderboard, read only/).waitFor()
    await guest.getByRole("heading", { name: "Scores and ranks" }).waitFor()
    await guest.waitForLoadState("networkidle")
    t.expect((await guest.getByRole("combobox", { name: "Dataset" }).count()) === 0, "a shared leaderboard offers other datasets")
    t.expect((await guest.getByRole("link", { name: "Export as a page" }).count()) === 0, "a shared leaderboard offers what it may not do")
    await t.axe(guest, "a shared leaderboard")
    await t.shot(guest, "share-leaderboard")
    const opened = new URL(guest.url())
    opened.searchParams.set("agent", "answers-v2")
    await guest.goto(opened.href)
    await guest.getByRole("heading", { name: "answers-v2", level: 2 }).waitFor()
    await guest.waitForLoadState("networkidle")
    await guest.goto(iteration)
    await guest.getByText(/Shared iteration, read only/).waitFor()
    await guest.getByRole("heading", { name: /^Iteration / }).waitFor()
    await guest.waitForLoadState("networkidle")
    await t.axe(guest, "a shared iteration")
    t.expect(refused.filter((one) => !one.endsWith("/v1/session")).length === 0, `refused: ${refused.join(", ")}`)
  },

  "an experiment and a trace are shared beside an own login, which stays": async (t) => {
    const page = await t.open(`${P}/experiments/${t.server.facts["answers-v2"]}`)
    const link = await share(page)
    const refused = refusals(page)
    await page.goto(link)
    await page.getByText(/Shared experiment, read only/).waitFor()
    await page.getByRole("grid").getByRole("row").nth(1).click()
    await page.waitForURL(/run=/)
    await page.waitForLoadState("networkidle")
    await t.axe(page, "a shared experiment")
    await t.shot(page, "share-experiment")
    const answer = await fetch(`${t.server.url}/v1/traces?project_id=support-demo&limit=1`, { headers: { Authorization: `Bearer ${t.server.key}` } })
    const { items } = (await answer.json()) as { items: { id: string }[] }
    await page.goto(`${t.server.url}${P}/traces/${items[0]!.id}`)
    const traceLink = await share(page)
    await page.goto(traceLink)
    await page.getByText(/Shared trace, read only/).waitFor()
    await page.getByRole("tree", { name: "Spans" }).waitFor()
    await page.waitForLoadState("networkidle")
    await t.axe(page, "a shared trace")
    await t.shot(page, "share-trace")
    const elsewhere = page.url().replace(/\/projects\/.*/, P)
    await page.goto(elsewhere)
    await page.getByRole("heading", { name: "This is no part of what was shared" }).waitFor()
    await page.getByRole("link", { name: "Back to the shared trace" }).click()
    await page.getByRole("tree", { name: "Spans" }).waitFor()
    await page.goto(`${t.server.url}${P}`)
    await page.getByRole("link", { name: "Experiments" }).first().waitFor()
    t.expect(refused.length === 0, `refused: ${refused.join(", ")}`)
  },
}

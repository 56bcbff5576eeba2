// The API reference at /docs: complete without scripts, searchable with them, and the same in light, dark, wide and narrow.
import type { Page } from "playwright-core"
import type { Tests } from "./harness.ts"

const SCORES = "details#post-v1-scores"

async function overflow(page: Page): Promise<number> {
  return await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
}

export const tests: Tests = {
  "looks right in both themes and every width": async (t) => {
    for (const theme of ["light", "dark"] as const) {
      for (const width of [1200, 360]) {
        const page = await t.open(`/docs${theme === "dark" ? "#post-v1-scores" : ""}`, { key: null, theme, width })
        await page.getByRole("heading", { name: "Gnomon API" }).waitFor()
        await t.shot(page, `reference-${theme}-${width}`)
        t.expect((await overflow(page)) <= 0, `the page is ${await overflow(page)} px too wide at ${width}`)
        const once = (theme === "light") === (width === 1200) // axe takes seconds on a page of this size
        if (once) await t.axe(page, `/docs ${theme} ${width}`)
      }
    }
  },
  "a link opens its operation": async (t) => {
    const page = await t.open("/docs#post-v1-scores", { key: null })
    await page.locator(`${SCORES}[open]`).waitFor()
    await page.locator(SCORES).getByText("Needs a key with the role write").waitFor()
    await page.locator(SCORES).getByRole("link", { name: "JobAccepted" }).click()
    await page.locator("details#schema-JobAccepted[open]").waitFor()
  },
  "search leaves what holds every word": async (t) => {
    const page = await t.open("/docs", { key: null })
    await page.keyboard.press("/")
    await page.keyboard.type("post items/import")
    await page.getByRole("status").getByText(/^1 of \d+$/).waitFor()
    const shown = page.locator("details.operation:visible")
    t.expect((await shown.count()) === 1, `${await shown.count()} operations match`)
    await shown.getByText("/v1/datasets/{id}/items/import").first().waitFor()
    t.expect((await page.locator("section.group:visible").count()) === 1, "empty groups are shown")
    await page.getByRole("searchbox").fill("")
    t.expect((await shown.count()) > 100, "an empty search hides operations")
  },
  "a command is copied": async (t) => {
    const page = await t.open("/docs#get-v1-projects", { key: null })
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.locator("details#get-v1-projects").getByRole("button", { name: "Copy command" }).click()
    await page.getByRole("button", { name: "Copied" }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    t.expect(copied.startsWith('curl -s "$GNOMON_URL/v1/projects"'), `copied: ${copied}`)
  },
  "without scripts everything is there": async (t) => {
    const page = await t.open("/docs", { key: null, scripts: false })
    t.expect(!(await page.getByRole("searchbox").isVisible()), "a search that does nothing is shown")
    await page.locator(`${SCORES} > summary`).click()
    await page.locator(SCORES).getByText("Needs a key with the role write").waitFor()
    t.expect((await page.locator("button:visible").count()) === 0, "a button that does nothing is shown")
  },
}

// A researcher: who is ahead and how surely, the evidence of a claim in its transcript, and a page to keep.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Page } from "playwright-core"
import type { Tester, Tests } from "./harness.ts"

const P = "/projects/support-demo"

/** Opens a file as somebody does who has no network. */
async function openOffline(t: Tester, from: Page, address: string, theme: "light" | "dark"): Promise<Page> {
  const browser = from.context().browser()
  if (browser === null) throw new Error("the page has no browser")
  const context = await browser.newContext({ colorScheme: theme, offline: true, javaScriptEnabled: true, viewport: { width: 1200, height: 900 } })
  const page = await context.newPage()
  page.on("console", (message) => message.type() === "error" && t.expect(false, `console of the file: ${message.text()}`))
  page.on("request", (request) => t.expect(request.url().startsWith("file:"), `the file asks for ${request.url()}`))
  await page.goto(address)
  return page
}

async function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    for (const folded of document.querySelectorAll("details")) folded.open = true
    const boxes = [...document.querySelectorAll<HTMLElement>(".wide")].filter((box) => box.scrollWidth > box.clientWidth + 1)
    const wide = boxes.map((box) => `${box.getAttribute("aria-label")} ${box.scrollWidth} > ${box.clientWidth}`)
    const whole = document.documentElement
    return whole.scrollWidth > window.innerWidth ? [...wide, `the page ${whole.scrollWidth}`] : wide
  })
}

async function pickDataset(page: Page, label: string): Promise<void> {
  await page.getByRole("group", { name: "What is ranked" }).getByLabel("Dataset").selectOption({ label })
}

/** What stands out at the right of the screen. */
async function outside(page: Page): Promise<string> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= window.innerWidth + 1) return ""
    const out = [...document.querySelectorAll("main *")].filter((node) => node.getBoundingClientRect().right > window.innerWidth + 1)
    return out.map((node) => `${node.tagName}.${node.getAttribute("class")}`).slice(0, 6).join(" ") || "the page"
  })
}

/** The cells of the first table below a heading, row by row. */
async function cellsBelow(page: Page, heading: string): Promise<string[][]> {
  const part = page.locator("section").filter({ has: page.getByRole("heading", { name: heading, exact: true }) }).first()
  await part.locator("details").first().evaluate((folded) => ((folded as HTMLDetailsElement).open = true))
  return part.locator("table").first().locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")))
}

export const tests: Tests = {
  "six agents are ranked, a claim is read in its place, and the page is kept": async (t) => {
    const page = await t.open(P)
    let clicks = 0
    await page.getByRole("link", { name: "Leaderboard" }).click()
    clicks += 1
    await pickDataset(page, "agent tasks (6 experiments)")
    clicks += 2
    await page.getByText("3 agents cannot be told apart at the top: reference-oracle, reference-flaky-0.9 and reference-flaky-0.7.").waitFor()
    t.figure("clicks from the first page to who is ahead", clicks)
    t.expect((await page.getByRole("group", { name: "6 agents" }).getByRole("button").count()) === 6, "there are not six agents to open")
    const shown = await cellsBelow(page, "Scores and ranks")
    t.expect(shown.length === 6, `the table has ${shown.length} rows`)
    await t.axe(page, "leaderboard")
    await t.shot(page, "leaderboard")

    const saving = page.waitForEvent("download")
    await page.getByRole("link", { name: "Export as a page" }).click()
    const file = join(t.server.results, "exported-leaderboard.html")
    await (await saving).saveAs(file)
    for (const theme of ["light", "dark"] as const) {
      const kept = await openOffline(t, page, pathToFileURL(file).href, theme)
      await kept.getByText(/^3 agents cannot be told apart at the top: reference-oracle/).waitFor()
      const there = await cellsBelow(kept, "Scores and ranks")
      const figures = (rows: string[][], place: [number, number, number]) => rows.map((row) => place.map((at) => row[at]).join(" | ")).join("\n")
      t.expect(figures(there, [2, 0, 3]) === figures(shown, [0, 1, 4]), `other figures in the file:\n${figures(there, [2, 0, 3])}\n${figures(shown, [0, 1, 4])}`)
      for (const words of await page.locator("figcaption").allTextContents()) {
        t.expect((await kept.locator("main").innerText()).includes(words.trim()), `the file does not say: ${words}`)
      }
      t.expect((await sideways(kept)).length === 0, `the file scrolls sideways: ${await sideways(kept)}`)
      await t.axe(kept, `the file, ${theme}`)
      await t.shot(kept, `leaderboard-file-${theme}`)
      await kept.context().close()
    }

    await page.getByRole("button", { name: /^reference-wrong-order: rank/ }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "reference-wrong-order" }).waitFor()
    await page.getByRole("link", { name: "Experiment reference-wrong-order" }).waitFor()
    await t.axe(page, "an agent's runs")
    // The lowest stand first, so a run that failed needs no search.
    const failed = page.getByRole("table", { name: "Runs of the agent" }).getByRole("row").nth(1)
    await failed.getByText("0.000", { exact: true }).waitFor()
    await failed.getByRole("link", { name: /^Read it +\(transcript of/ }).click()
    clicks += 2
    await page.getByRole("heading", { level: 1, name: /^reference-wrong-order on returns_desk/ }).waitFor()
    const claims = page.getByRole("complementary", { name: "Claims" })
    const evidence = claims.getByRole("listitem").getByRole("link", { name: /^\d+ · step/ }).last()
    const words = ((await evidence.textContent()) ?? "").replace(/^\d+ · step \d+: /, "").slice(0, 40)
    await evidence.click()
    clicks += 1
    t.figure("clicks from the first page to the evidence of a claim", clicks)
    const mark = page.locator("[id^=claim-]:focus")
    await mark.waitFor()
    t.expect(((await mark.textContent()) ?? "").includes(words), `the mark does not say ${words}`)
    t.expect(await mark.evaluate((node) => node.getBoundingClientRect().top >= 0 && node.getBoundingClientRect().bottom <= window.innerHeight), "the mark is not in sight")
    await t.axe(page, "transcript")
    await t.shot(page, "transcript")
    const again = await t.open(new URL(page.url()).pathname + new URL(page.url()).search, { theme: "dark" })
    await again.locator("[id^=claim-][data-chosen]").waitFor()
    await t.axe(again, "transcript, dark")
    await t.shot(again, "transcript-dark")
    await again.getByRole("main").getByRole("link", { name: "Leaderboard", exact: true }).click()
    await again.getByRole("heading", { name: "reference-wrong-order" }).waitFor()
  },
  "what stands behind the order": async (t) => {
    const page = await t.open(`${P}/leaderboard`, { theme: "dark" })
    await pickDataset(page, "agent days (5 experiments)")
    await page.getByText(/^All 5 agents cannot be told apart/).waitFor()
    for (const [tab, ready] of [["Pairs", /^10 pairs: /], ["Actions", /kinds? of action/], ["Score against cost", /cost anything/], ["Metrics", /In percent of the runs/], ["Several trials", /^pass@k: at least/]] as const) {
      await page.getByRole("tab", { name: tab }).click()
      await page.getByRole("tabpanel").getByText(ready).first().waitFor()
      await t.axe(page, `leaderboard, ${tab}, dark`)
      await t.shot(page, `leaderboard-${tab.toLowerCase().replaceAll(" ", "-")}-dark`)
    }
    const marks = page.getByRole("tabpanel").getByRole("group", { name: "values of k" }).first().getByRole("button")
    await marks.first().focus()
    await page.keyboard.press("ArrowRight")
    t.expect(await marks.nth(1).evaluate((node) => node === document.activeElement), "an arrow does not move between marks")
  },
  "score against cost has its step, and another reading another order": async (t) => {
    const page = await t.open(`/projects/research/leaderboard?dataset=${t.server.facts.priced}&scorer=quality&show=cost`)
    await page.getByText(/^No other agent is both as cheap and better: frugal|^frugal is both/).waitFor()
    t.expect((await page.getByRole("group", { name: "3 agents" }).count()) === 2, "there are not two plots of three agents")
    await t.axe(page, "score against cost")
    await t.shot(page, "leaderboard-cost")
    await page.getByLabel("Too small to matter below").selectOption("0.1")
    await page.waitForURL(/effect=0.1/)
    await page.getByLabel("Missing scores").selectOption("zero")
    await page.waitForURL(/missing=zero/)
    await page.keyboard.press("z")
    await page.waitForURL(/zoom=true/)
  },
  "twelve agents of two families fit a screen of 1,200 px": async (t) => {
    const page = await t.open("/login", { key: null })
    for (const theme of ["light", "dark"] as const) {
      const broad = await openOffline(t, page, t.server.facts.broad_page ?? "", theme)
      const wide = await sideways(broad)
      t.expect(wide.length === 0, `scrolls sideways: ${wide}`)
      t.expect((await broad.locator(".multiples figure").count()) === 12, "not every agent has its own small plot")
      t.expect((await broad.locator(".multiples .band").count()) === 24, "a small plot has not two bands")
      await t.axe(broad, `twelve agents, ${theme}`)
      await t.shot(broad, `leaderboard-broad-${theme}`)
      await broad.context().close()
    }
  },
  "twenty agents with long names are told apart, wherever they are drawn": async (t) => {
    for (const width of [1280, 700]) {
      const page = await t.open(`/projects/research/leaderboard?dataset=${t.server.facts.crowd}&scorer=quality&show=cost`, { width })
      await page.getByText(/Hatching: where the mean could lie/).waitFor()
      await page.getByText(/^No other agent is both as cheap and better/).waitFor()
      const names = await page.getByRole("tabpanel").locator("svg[role=img] text").evaluateAll((texts) =>
        texts.filter((text) => text.textContent?.includes("…")).map((text) => ({ words: text.textContent ?? "", box: text.getBoundingClientRect().toJSON() as DOMRect })))
      t.expect(names.length > 2 && new Set(names.map((name) => name.words)).size === names.length, `${names.length} names are alike at ${width} px`)
      const svg = await page.getByRole("tabpanel").locator("svg[role=img]").first().evaluate((node) => node.getBoundingClientRect().toJSON() as DOMRect)
      for (const [at, one] of names.entries()) {
        t.expect(one.box.right <= svg.right + 1, `${one.words} is cut at the right at ${width} px`)
        const over = names.slice(at + 1).find(({ box }) => box.left < one.box.right && one.box.left < box.right && Math.min(box.bottom, one.box.bottom) - Math.max(box.top, one.box.top) > 4)
        t.expect(over === undefined, `${one.words} lies on ${over?.words} at ${width} px`)
      }
      t.expect((await outside(page)) === "", `scrolls sideways at ${width} px: ${await outside(page)}`)
      await t.axe(page, `twenty agents, ${width} px`)
      await t.shot(page, `leaderboard-crowd-${width}`)
    }
  },
  "a run that is not a benchmark's shows its scores beside its transcript, and without trials the pairs come first": async (t) => {
    const page = await t.open(`/projects/research/leaderboard?dataset=${t.server.facts.crowd}&scorer=quality`)
    await page.getByRole("tab", { name: "Pairs", selected: true }).waitFor()
    await page.getByRole("group", { name: "20 agents" }).getByRole("button").first().focus()
    await page.keyboard.press("Enter")
    await page.getByRole("table", { name: "Runs of the agent" }).getByRole("link", { name: /^Read it/ }).first().click()
    const claims = page.getByRole("complementary", { name: "Claims" })
    await claims.getByText("quality").waitFor()
    await claims.getByText("by chance").waitFor()
    await t.axe(page, "a transcript without claims")
  },
  "a project without anything to rank says how to begin": async (t) => {
    const project = `nothing-${Date.now()}`
    const headers = { Authorization: `Bearer ${t.server.key}`, "Content-Type": "application/json" }
    await fetch(`${t.server.url}/v1/projects`, { method: "POST", headers, body: JSON.stringify({ id: project, name: "Nothing" }) })
    const page = await t.open(`/projects/${project}/leaderboard`)
    await page.getByRole("heading", { name: "Nothing to rank yet" }).waitFor()
    const command = (await page.locator("pre").textContent()) ?? ""
    t.expect(command.includes(t.server.url) && command.includes(`--project ${project}`), `the command names no server or project: ${command}`)
    t.expect(await page.locator("pre").evaluate((node) => node.scrollWidth <= node.clientWidth), "the command is cut")
    await t.axe(page, "nothing to rank")
  },
  "narrow screens, nonsense, hostile names and nothing to rank": async (t) => {
    const { facts } = t.server
    const addresses = [`${P}/leaderboard?missing=banana&k=0`, `/projects/hostile/leaderboard?dataset=${facts.hostile_dataset}&show=pairs`]
    for (const address of addresses) {
      const page = await t.open(address, { width: 360, height: 740 })
      await page.getByRole("heading", { name: "Scores and ranks" }).waitFor()
      t.expect((await outside(page)) === "", `${address} scrolls sideways at 360 px: ${await outside(page)}`)
      t.expect(await page.evaluate(() => (window as unknown as { __pwned?: number }).__pwned === undefined), "something from an experiment was run")
      await t.axe(page, `${address.split("?")[0]} at 360 px`)
    }
    const nowhere = await t.open(`${P}/leaderboard/runs/nobody`, { allowed: /404/ })
    await nowhere.getByText(/does not exist/).waitFor()
  },
}

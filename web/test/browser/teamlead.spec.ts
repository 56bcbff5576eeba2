// A team lead: why iteration N scored low, who claims too much, and which way of working is better.
import type { Page } from "playwright-core"
import type { Tester, Tests } from "./harness.ts"

const P = "/projects/support-demo"

async function sideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
}

interface Point {
  id: string
  iteration: number
  value: number | null
  provisional: boolean
}

async function points(t: Tester, more = ""): Promise<Point[]> {
  const answer = await fetch(`${t.server.url}/v1/iterations/trend?project_id=support-demo&limit=1000${more}`, { headers: { Authorization: `Bearer ${t.server.key}` } })
  return ((await answer.json()) as { iterations: Point[] }).iterations
}

/** The signals of an iteration, as the table of their evidence shows them. */
async function signals(page: Page): Promise<{ name: string; adds: number; lost: number }[]> {
  const rows = await page.getByRole("group", { name: "Signals" }).locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => (cell.textContent ?? "").trim())))
  return rows.filter((cells) => cells[2] !== "absent").map(([name = "", weight = "", , adds]) => {
    const here = Number(weight.split("→")[1])
    return { name, adds: Number(adds), lost: here - Number(adds) }
  })
}

/** Counts clicks of the walk, for the report. */
function counting(): { click: (what: { click: () => Promise<void> }) => Promise<void>; count: () => number } {
  let clicks = 0
  return {
    click: async (what) => {
      clicks += 1
      await what.click()
    },
    count: () => clicks,
  }
}

export const tests: Tests = {
  "why an iteration scored low, from the dashboard on": async (t) => {
    const low = (await points(t)).filter((point) => !point.provisional && point.value !== null).sort((a, b) => (a.value ?? 0) - (b.value ?? 0))[0]!
    const walk = counting()
    const page = await t.open(P)
    await walk.click(page.getByRole("link", { name: "Iterations" }))
    const grid = page.getByRole("grid", { name: "Iterations" })
    await grid.getByRole("row").nth(1).waitFor()
    await t.axe(page, "iterations")
    await t.shot(page, "iterations")
    await walk.click(grid.getByRole("columnheader", { name: /Value/ }).getByRole("button"))
    await page.waitForURL(/sort=value/)
    await walk.click(grid.getByRole("row").nth(1).getByRole("link"))
    await page.getByRole("heading", { level: 1, name: `Iteration ${low.iteration}` }).waitFor()
    await page.getByRole("region", { name: "In words" }).getByText(/Lost most by/).waitFor()
    // What is said first is what the numbers say: the signals' parts add up to the value, and the one named lost most.
    const parts = await signals(page)
    const sum = parts.reduce((total, part) => total + part.adds, 0)
    t.expect(Math.abs(sum - (low.value ?? 0)) < 0.0005 * (parts.length + 1), `the parts sum to ${sum}, the value is ${low.value}`)
    const worst = [...parts].sort((a, b) => b.lost - a.lost)[0]
    await page.getByRole("region", { name: "In words" }).getByText(worst?.name ?? "nothing", { exact: true }).waitFor()
    await page.getByText(/was reverted on main/).first().waitFor()
    t.figure("clicks from the dashboard to why the lowest iteration scored low", walk.count())
    t.expect((await page.getByText("✕ the parts sum").count()) === 0, "the waterfall says that it does not sum")
    await page.getByRole("figure").first().waitFor()
    await page.waitForLoadState("networkidle")
    await t.axe(page, "an iteration")
    await t.shot(page, "iteration")
    await page.keyboard.press("n")
    await page.getByRole("heading", { level: 1, name: `Iteration ${low.iteration + 1}` }).waitFor()
    // Where a key leads to is known a moment after the iteration itself.
    const beside = page.getByRole("navigation", { name: "Iterations beside this one" })
    await beside.getByRole("link", { name: new RegExp(`^← ${low.iteration} `) }).waitFor()
    await page.keyboard.press("p")
    await page.getByRole("heading", { level: 1, name: `Iteration ${low.iteration}` }).waitFor()
  },
  "a mark of the plot opens its iteration, and a session its iterations": async (t) => {
    const page = await t.open(`${P}/iterations`, { theme: "dark" })
    const plot = page.getByRole("region", { name: "Value over time" })
    await plot.getByRole("link", { name: /^session-4,/ }).click()
    await page.waitForURL(/session=session-4/)
    await page.getByRole("list", { name: "Filters in force" }).getByText("session session-4").waitFor()
    await page.getByRole("status").getByText(/^3 iterations of support-desk/).waitFor()
    await t.axe(page, "iterations of one session, dark")
    const first = plot.getByRole("link", { name: /^Iteration \d+,/ }).first()
    await first.focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Iteration 11" }).waitFor()
  },
  "two sets of rules are compared, in words first": async (t) => {
    const walk = counting()
    const page = await t.open(P)
    await walk.click(page.getByRole("link", { name: "Iterations" }))
    await walk.click(page.getByRole("link", { name: "Compare groups" }))
    await page.getByRole("heading", { level: 1, name: "AGENTS.md@c1907fe3a826 against AGENTS.md@4be21c07d95a" }).waitFor()
    await page.getByRole("region", { name: "Verdicts" }).getByText(/better, by/).first().waitFor()
    t.figure("clicks from the dashboard to which rules are better", walk.count())
    await page.getByRole("region", { name: /left out/ }).getByText(/left out of the total/).waitFor()
    await page.waitForLoadState("networkidle")
    await t.axe(page, "two groups")
    await t.shot(page, "iteration-groups")
    await page.keyboard.press("s")
    await page.getByRole("heading", { level: 1, name: "AGENTS.md@4be21c07d95a against AGENTS.md@c1907fe3a826" }).waitFor()
    await page.getByRole("region", { name: "Verdicts" }).getByText(/worse, by/).first().waitFor()
    await page.getByRole("combobox", { name: /^By/ }).selectOption("model")
    await page.getByRole("region", { name: "Verdicts" }).getByText(/cannot tell: .*more sessions in each group/).first().waitFor()
    await page.getByRole("combobox", { name: /^By/ }).selectOption("period")
    await page.getByText("Choose the first and the last day of two periods.").waitFor()
    await t.axe(page, "two periods to say")
  },
  "claims are held against facts, by role and one by one": async (t) => {
    const page = await t.open(`${P}/integrity`)
    await page.getByText(/claimed too much in \d+ of \d+/).first().waitFor()
    await page.getByRole("heading", { name: /^Iteration by iteration/ }).waitFor()
    await page.getByRole("figure").nth(2).waitFor()
    await page.waitForLoadState("networkidle")
    await t.axe(page, "integrity")
    await t.shot(page, "integrity")
    await page.getByRole("combobox", { name: /^Claim/ }).selectOption("impl: landed")
    await page.waitForURL(/claim=/)
    await page.getByRole("heading", { name: "Iteration by iteration: impl: landed" }).waitFor()
    await page.getByRole("figure").nth(2).getByRole("link").first().click()
    await page.getByRole("heading", { level: 1, name: /^Iteration \d+/ }).waitFor()
  },
  "an iteration without a score, and open work, say why": async (t) => {
    const all = await points(t)
    const unscored = all.find((point) => point.value === null)!
    const open = all.at(-1)!
    const page = await t.open(`${P}/iterations/${unscored.id}`)
    await page.getByText(/not scored: no signal had evidence/).first().waitFor()
    await t.axe(page, "an iteration without a score")
    await t.shot(page, "iteration-unscored")
    await page.goto(`${t.server.url}${P}/iterations/${open.id}`)
    await page.getByText(/provisional: git does not say what became of the work/).first().waitFor()
    await page.getByText(/not landed yet/).first().waitFor()
    await t.shot(page, "iteration-open")
  },
  "an iteration leads to its session, to the session's traces, and to what people say of it": async (t) => {
    const page = await t.open(`${P}/iterations/${t.server.facts["iteration"]}`)
    const around = page.getByRole("complementary", { name: "Around this iteration" })
    await around.getByText("works, hard to read").waitFor()
    await around.getByRole("link", { name: /^1 trace/ }).click()
    await page.waitForURL(/meta\.session\.id=session-/)
    await page.getByRole("grid", { name: "Traces" }).getByRole("link", { name: "turn" }).waitFor()
    await page.goBack()
    await around.getByRole("link", { name: /^session-\d+$/ }).click()
    await page.getByRole("status").getByText(/^3 iterations of support-desk/).waitFor()
  },
  "light, dark and narrow, and nonsense in the address": async (t) => {
    const one = (await points(t)).at(-4)!
    const views: [string, string][] = [
      ["iterations", `${P}/iterations?band=banana&before=-3`],
      ["iterations-all", `${P}/iterations`],
      ["iteration", `${P}/iterations/${one.id}`],
      ["groups", `${P}/iterations/compare`],
      ["integrity", `${P}/integrity`],
    ]
    for (const [name, address] of views) {
      for (const width of [1280, 360]) {
        const page = await t.open(address, { width, height: 800 })
        await page.getByRole("heading", { level: 1 }).first().waitFor()
        await page.waitForLoadState("networkidle")
        t.expect(!(await sideways(page)), `${name} scrolls sideways at ${width} px`)
        await t.inBothThemes(page, `${name}-${width}`)
        await t.done(page)
      }
    }
  },
}

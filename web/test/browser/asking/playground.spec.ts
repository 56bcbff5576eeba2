// The playground: two candidates on ten items, what it costs, the answers as they come, and their comparison.
import type { Page } from "playwright-core"
import type { Tester, Tests } from "../harness.ts"

const P = "/projects/played"

async function sideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
}

async function choose(page: Page): Promise<void> {
  await page.getByLabel("Dataset", { exact: true }).selectOption({ label: "cities (12)" })
  await page.getByRole("button", { name: "{{input.city}}" }).waitFor()
}

async function write(page: Page, letter: string, model: string, prompt: string): Promise<void> {
  const candidate = page.getByRole("region", { name: `Candidate ${letter}`, exact: true })
  await candidate.getByLabel("Model", { exact: true }).fill(model)
  await candidate.getByLabel("Message 2", { exact: true }).fill(prompt)
}

async function facts(t: Tester, job: string): Promise<{ id: string; status: string; run_count: number }[]> {
  const headers = { Authorization: `Bearer ${t.server.key}` }
  const answer = await fetch(`${t.server.url}/v1/experiments?project_id=played&metadata.playground.job_id=${job}`, { headers })
  return ((await answer.json()) as { items: { id: string; status: string; run_count: number }[] }).items
}

export const tests: Tests = {
  "from two prompts to stored experiments and their comparison": async (t) => {
    const page = await t.open(`${P}/playground`)
    await page.getByText("This server can ask openai").waitFor()
    await t.axe(page, "an empty playground")
    const run = page.getByRole("button", { name: "Run", exact: true })
    t.expect((await run.getAttribute("aria-disabled")) === "true", "it can be run before its cost was shown")
    await page.getByRole("button", { name: "Preview the cost" }).click()
    await page.getByText(/2 fields are not right yet/).waitFor()
    await choose(page)
    await write(page, "A", "played-1", "")
    await page.getByRole("button", { name: "{{input.city}}" }).click()
    const first = page.getByRole("region", { name: "Candidate A", exact: true }).getByLabel("Message 2", { exact: true })
    t.expect((await first.inputValue()) === "{{input.city}}", "the variable was not put where the cursor was")
    await page.getByRole("button", { name: "Add a candidate to compare" }).click()
    await write(page, "B", "played-2", "{{input.city}}, surely")
    await page.getByLabel(/exact_match/).check()
    await page.getByRole("button", { name: "Preview the cost" }).click()
    await page.getByText(/20 calls/).waitFor()
    await page.getByText(/nothing here says what played-1 costs/).waitFor()
    await t.axe(page, "a preview of the cost")
    await t.shot(page, "playground-cost")
    await page.getByLabel("Answers per item").selectOption("2")
    t.expect((await run.getAttribute("aria-disabled")) === "true", "it can be run at another cost than was shown")
    await page.getByLabel("Answers per item").selectOption("1")
    await run.click()
    await page.getByText("Done: 20 answers").waitFor()
    const answers = page.getByRole("region", { name: "Answers", exact: true })
    await answers.getByRole("cell").filter({ hasText: "Paris, surely" }).first().waitFor()
    t.expect((await answers.getByRole("row").count()) === 11, "not every item has its row")
    // A mean stands with its interval, and says of how many.
    await answers.getByRole("list", { name: "Candidates" }).getByText(/^0\.\d{3}–[01]\.\d{3}, 10 of 10$/).nth(1).waitFor()
    await answers.getByRole("button", { name: "Differences" }).first().click()
    await answers.getByRole("heading", { name: "A → B" }).waitFor()
    await t.axe(page, "answers side by side")
    await t.shot(page, "playground-answers")
    const job = new URL(page.url()).searchParams.get("job") ?? ""
    const stored = await facts(t, job)
    t.expect(stored.length === 2 && stored.every((one) => one.status === "completed" && one.run_count === 10), `stored is ${JSON.stringify(stored)}`)
    await page.reload()
    await answers.getByRole("heading", { name: "A → B" }).waitFor()
    t.expect((await first.inputValue()) === "{{input.city}}", "the link does not bring the prompts back")
    await answers.getByRole("link", { name: "Compare A with B" }).click()
    await page.getByText("exact_match").first().waitFor()
    t.expect(page.url().includes("/compare/"), "there is no comparison")
    await page.goBack()
    await answers.getByRole("link", { name: "Open as experiment B" }).click()
    await page.getByRole("heading", { name: "playground B: played-2" }).waitFor()
  },
  "what is typed survives a lost connection, and leaving asks": async (t) => {
    const page = await t.open(`${P}/playground?scorers=exact_match`, { allowed: /ERR_|Failed to load/ })
    await choose(page)
    await write(page, "A", "played-1", "kept {{input.city}}")
    await page.getByRole("button", { name: "Preview the cost" }).click()
    await page.getByText(/10 calls/).waitFor()
    await page.route("**/v1/**", (route) => route.abort())
    await page.route("**/healthz", (route) => route.abort())
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByText("No server answered").waitFor()
    await page.getByRole("link", { name: "Jobs", exact: true }).click()
    await page.getByRole("button", { name: "Keep writing" }).click()
    const prompt = page.getByLabel("Message 2", { exact: true })
    t.expect((await prompt.inputValue()) === "kept {{input.city}}", "the prompt was lost")
    await page.unroute("**/v1/**")
    await page.unroute("**/healthz")
    await page.getByRole("button", { name: "Try again" }).first().click()
    await page.getByText("Done: 10 answers").waitFor()
    await page.getByRole("link", { name: "Jobs", exact: true }).click()
    await page.getByRole("heading", { name: "Jobs", level: 1 }).waitFor()
  },
  "single items, a model that cannot be asked, and a reader": async (t) => {
    const page = await t.open(`${P}/playground`, { allowed: /400/ })
    await choose(page)
    await write(page, "A", "groq/llama-3", "{{input.city}}")
    await page.getByText("Choose single items").click()
    await page.getByRole("group", { name: "Single items" }).getByLabel(/Oslo/).check()
    await page.getByRole("button", { name: "Preview the cost" }).click()
    await page.getByText(/1 call/).waitFor()
    await page.getByText(/set GROQ_API_KEY/).first().waitFor()
    await page.getByRole("button", { name: "Run", exact: true }).click()
    const model = page.getByLabel("Model", { exact: true })
    await page.locator("[aria-invalid=true]").waitFor()
    t.expect((await model.getAttribute("aria-invalid")) === "true", "the refusal does not stand beside the model")
    t.expect(page.url().includes("items="), "the chosen item is not in the address")
    const reader = await t.open(`${P}/playground`, { key: t.server.readKey })
    await reader.getByText("This key may read only. You can look").waitFor()
    t.expect((await reader.getByRole("button", { name: "Run", exact: true }).getAttribute("aria-disabled")) === "true", "a reader may run")
    await t.axe(reader, "the playground of a reader")
  },
  "in light and dark, wide and narrow": async (t) => {
    const headers = { Authorization: `Bearer ${t.server.key}` }
    const answer = await fetch(`${t.server.url}/v1/jobs?project_id=played&limit=10`, { headers })
    const jobs = ((await answer.json()) as { items: { id: string; kind: string; total: number }[] }).items
    const job = jobs.find((one) => one.kind === "playground" && one.total === 20)?.id ?? jobs[0]?.id
    for (const width of [1280, 360]) {
      const page = await t.open(`${P}/playground?job=${job}`, { width, height: width === 360 ? 740 : 900 })
      await page.getByText(/Done: \d+ answers/).waitFor()
      await page.getByRole("button", { name: "Differences" }).first().click()
      await page.getByRole("heading", { name: "Differences" }).waitFor()
      t.expect(!(await sideways(page)), `the playground scrolls sideways at ${width}`)
      await t.inBothThemes(page, `playground-${width}`)
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      await t.shot(page, `playground-${width}-end`)
      await t.done(page)
    }
  },
}

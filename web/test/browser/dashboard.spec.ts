// The dashboard and the jobs: each number leads to its rows, a failing gate is seen, a job is read, retried and cancelled.
import type { Page } from "playwright-core"
import type { Tester, Tests } from "./harness.ts"

const P = "/projects/support-demo"
const JOBS = `${P}/jobs`
const OWN = "failing-desk"
const SCRIPT = "<img src=x onerror='window.__pwned = 5'>"

async function sideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
}

async function notPwned(t: Tester, page: Page): Promise<void> {
  const pwned = await page.evaluate(() => (window as unknown as { __pwned?: number }).__pwned)
  t.expect(pwned === undefined, `something from the data was run: ${pwned}`)
}

async function post(t: Tester, path: string, body: unknown = {}): Promise<{ id: string }> {
  const headers = { Authorization: `Bearer ${t.server.key}`, "Content-Type": "application/json" }
  const answer = await fetch(`${t.server.url}/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}

/** A project whose names are HTML, with one completed experiment that fails its gate, and a job. */
async function fillOwn(t: Tester): Promise<void> {
  await post(t, "/projects", { id: OWN, name: `Desk ${SCRIPT}` })
  const dataset = await post(t, "/datasets", { project_id: OWN, name: SCRIPT })
  const item = await post(t, `/datasets/${dataset.id}/items`, { input: "a" })
  const experiment = await post(t, "/experiments", { project_id: OWN, name: SCRIPT, dataset_id: dataset.id })
  const scores = [{ scorer_name: SCRIPT, value: 0.25 }, { scorer_name: "tone", value: SCRIPT }]
  await post(t, `/experiments/${experiment.id}/runs`, { runs: [{ dataset_item_id: item.id, output: "b", scores }] })
  await post(t, `/experiments/${experiment.id}/complete`)
  await post(t, `/experiments/${experiment.id}/threshold`, { scorer_name: SCRIPT, metric: "mean", threshold: 0.9 })
  const regex = { scorer_name: SCRIPT, scorer: "regex", config: { pattern: "b" } }
  await post(t, "/traces/score", { project_id: OWN, scorers: [regex] })
}

async function jobRows(page: Page): Promise<number> {
  await page.getByRole("grid", { name: "Jobs" }).getByRole("row").nth(1).waitFor()
  return page.getByRole("grid", { name: "Jobs" }).getByRole("row").count()
}

export const tests: Tests = {
  "each number of the dashboard leads to what it came from": async (t) => {
    const page = await t.open(P)
    await page.getByRole("heading", { name: "Traces over time" }).waitFor()
    await page.getByRole("heading", { name: "Score trends" }).waitFor()
    await t.axe(page, "dashboard")
    await page.getByRole("button", { name: "30 d" }).click()
    await page.waitForURL(/window=30d/)
    await page.getByText("last 30 days").waitFor()
    await t.shot(page, "dashboard")
    const errors = page.getByRole("link", { name: /traces with an error behind this/ })
    const count = /(\d+) traces with an error/.exec((await errors.textContent()) ?? "")?.[1]
    await errors.click()
    await page.waitForURL(/traces\?after=30d&error=true/)
    await page.getByText(`${count} traces in this range`).waitFor()
    await page.goBack()
    await page.getByRole("region", { name: "Needs a look" }).getByRole("link", { name: /See the traces since/ }).click()
    await page.waitForURL(/traces\?scorer=grounded&after=/)
    await page.goBack()
    await page.getByRole("link", { name: /9 no expected_output/ }).click()
    await page.waitForURL(/experiments\/.*reason=/)
  },
  "a trend is walked by keys to the experiment": async (t) => {
    const page = await t.open(P)
    const marks = page.getByRole("group", { name: /^contains, \d+ experiments/ })
    await marks.getByRole("link").first().focus()
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await page.waitForURL(/experiments\/.*scorer=contains/)
  },
  "the dashboard in the dark, and on a narrow screen": async (t) => {
    const dark = await t.open(`${P}?window=7d`, { theme: "dark" })
    await dark.getByRole("heading", { name: "Traces over time" }).waitFor()
    await t.axe(dark, "dashboard, dark")
    await t.shot(dark, "dashboard-dark")
    const narrow = await t.open(P, { width: 360, height: 740 })
    await narrow.getByRole("heading", { name: "Traces over time" }).waitFor()
    t.expect(!(await sideways(narrow)), "the dashboard scrolls sideways at 360 px")
    await t.axe(narrow, "dashboard at 360 px")
    const middle = await t.open(P, { theme: "dark", width: 700, height: 900 })
    await middle.getByRole("heading", { name: "Traces over time" }).waitFor()
    for (const page of [narrow, middle]) {
      // The plots take the width of their place, also where their data came after the page.
      await page.waitForFunction(() => {
        const plots = [...document.querySelectorAll("section[aria-labelledby=score-trends] svg[role=img]")]
        return plots.length > 0 && plots.every((plot) => plot.getBoundingClientRect().right <= (plot.closest("figure")?.getBoundingClientRect().right ?? 0) + 1)
      })
    }
    await t.shot(middle, "dashboard-dark-700")
    const odd = await t.open(`${P}?window=99y&colour=red`)
    await odd.getByText(/ignored/i).first().waitFor()
    await odd.getByRole("button", { name: "24 h", pressed: true }).waitFor()
  },
  "a failing gate is seen and leads to its runs, and names stay text": async (t) => {
    await fillOwn(t)
    const page = await t.open(`/projects/${OWN}`, { theme: "dark" })
    const look = page.getByRole("region", { name: "Needs a look" })
    await look.getByText("Gate fails").waitFor()
    await page.getByText("FAIL", { exact: false }).first().waitFor()
    await t.axe(page, "failing gate, dark")
    await t.shot(page, "dashboard-failing-dark")
    await notPwned(t, page)
    await look.getByRole("link", { name: /See runs with a score up to 0.900/ }).click()
    await page.waitForURL(/sort=score&max=0.9/)
    const jobs = await t.open(`/projects/${OWN}/jobs`)
    await jobRows(jobs)
    await jobs.getByRole("grid", { name: "Jobs" }).getByRole("row").nth(1).click({ position: { x: 20, y: 10 } })
    await jobs.getByRole("heading", { name: /Score spans/ }).waitFor()
    await notPwned(t, jobs)
  },
  "an empty project says what to do first": async (t) => {
    await post(t, "/projects", { id: "empty-desk", name: "Empty desk" })
    const page = await t.open("/projects/empty-desk")
    await page.getByRole("heading", { name: "No experiments yet" }).waitFor()
    t.expect((await page.getByLabel("Command").first().textContent())?.includes("empty-desk") ?? false, "the command does not name the project")
    await t.shot(page, "dashboard-empty")
    const jobs = await t.open("/projects/empty-desk/jobs", { theme: "dark" })
    await jobs.getByRole("heading", { name: "No jobs yet" }).waitFor()
    await t.axe(jobs, "no jobs, dark")
  },
  "a failed job says why, is retried and cancelled": async (t) => {
    const page = await t.open(JOBS, { allowed: /422/ })
    await jobRows(page)
    await t.axe(page, "jobs")
    await page.getByRole("button", { name: /^failed/ }).click()
    await page.waitForURL(/status=failed/)
    const several = page.getByRole("grid", { name: "Jobs" }).getByRole("row").filter({ hasText: "The judge named several labels." })
    await several.first().focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(/job=/)
    await page.getByText("The server said:").waitFor()
    await page.keyboard.press("Escape")
    await page.waitForURL((url) => !url.search.includes("job="))
    await page.getByText("The judge named several labels.").first().click()
    await page.getByRole("group", { name: "What the model answered" }).waitFor()
    const shared = await t.open(new URL(page.url()).pathname + new URL(page.url()).search, { theme: "dark" })
    await shared.getByRole("group", { name: "What the model answered" }).waitFor()
    await t.axe(shared, "open job, dark")
    await t.shot(shared, "jobs-dark")
    // No model is there to be asked: the job waits until it is cancelled, or the worker has given it up before.
    await page.getByRole("button", { name: "Retry" }).first().click()
    await page.getByRole("button", { name: /^(queued 1|failed 19)$/ }).first().waitFor()
    await page.goto(`${t.server.url}${JOBS}?status=queued`)
    const cancel = page.getByRole("button", { name: /Cancel the job/ }).first()
    await cancel.or(page.getByText(/No jobs match: queued/)).waitFor()
    if (await cancel.isVisible()) await cancel.click()
    await page.getByText(/No jobs match: queued/).or(page.getByRole("alert")).first().waitFor()
  },
  "a job that the list does not show is shown by its address": async (t) => {
    const page = await t.open(`${JOBS}?status=done`)
    await jobRows(page)
    await page.getByRole("grid", { name: "Jobs" }).getByRole("row").nth(1).click({ position: { x: 20, y: 10 } })
    await page.waitForURL(/job=/)
    const id = new URL(page.url()).searchParams.get("job")
    const other = await t.open(`${JOBS}?status=failed&job=${id}`)
    await other.getByRole("region", { name: "The chosen job" }).getByRole("heading", { level: 2 }).waitFor()
    const gone = await t.open(`${JOBS}?job=no-such-job&status=asleep`, { allowed: /404/ })
    await gone.getByRole("alert").waitFor()
    await gone.getByText(/ignored/i).first().waitFor()
  },
  "jobs on a narrow screen, and for a key that may only read": async (t) => {
    const page = await t.open(`${JOBS}?status=failed`, { width: 360, height: 740, key: t.server.readKey })
    await jobRows(page)
    t.expect(!(await sideways(page)), "the jobs scroll sideways at 360 px")
    await t.axe(page, "jobs at 360 px")
    const button = page.getByRole("button", { name: /Retry/ }).first()
    t.expect((await button.getAttribute("aria-disabled")) === "true", "a read-only key can press Retry")
    t.expect(((await button.getAttribute("title")) ?? "").includes("read only"), "the button does not say why")
    // By its words: the job that the test before retried may have failed again by now, and stand first.
    const several = page.getByRole("grid", { name: "Jobs" }).getByRole("row").filter({ hasText: "The judge named several labels." })
    await several.first().click({ position: { x: 20, y: 10 } })
    await page.getByText("The server said:").waitFor()
    t.expect(!(await sideways(page)), "an open job scrolls sideways at 360 px")
    await t.shot(page, "jobs-narrow")
  },
}

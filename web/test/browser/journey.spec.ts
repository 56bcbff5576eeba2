// The developer's way, start to end: from the printed link to a regression's diff that a colleague sees the same.
import type { Page } from "playwright-core"
import type { Tester, Tests } from "./harness.ts"

const P = "/projects/support-demo"

async function api(t: Tester, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { Authorization: `Bearer ${t.server.key}`, "Content-Type": "application/json" }
  const answer = await fetch(`${t.server.url}/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function setGate(t: Tester, threshold: number, bound: "point" | "ci"): Promise<void> {
  const wish = { scorer_name: "contains", metric: "mean", threshold, bound }
  await api(t, "POST", `/experiments/${t.server.facts["answers-v2"]}/threshold`, wish)
}

/** Opens runs, worst first, until one has a stored trace. */
async function openWorstWithTrace(page: Page): Promise<void> {
  const runs = page.getByRole("grid", { name: "Runs" })
  await runs.getByRole("row").nth(1).waitFor()
  await runs.getByRole("row").nth(1).focus()
  for (let tries = 0; tries < 40; tries++) {
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Scores" }).waitFor()
    if (await page.getByRole("link", { name: "Open its trace" }).isVisible()) return
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Scores" }).waitFor({ state: "detached" })
    await page.keyboard.press("j")
  }
  throw new Error("none of the 40 worst runs has a trace")
}

export const tests: Tests = {
  "from the printed link to a diff that a colleague sees the same": async (t) => {
    await setGate(t, 0.9, "ci")
    try {
      const { code } = (await api(t, "POST", "/session/codes")) as { code: string }
      const page = await t.open(`/login#code=${code}`, { key: null, allowed: /401/ })
      await page.waitForURL((url) => !url.pathname.startsWith("/login"))
      await page.goto(t.server.url + P)
      await page.getByRole("heading", { name: "Needs a look" }).waitFor()
      await page.getByText("Gate fails").waitFor()
      await t.axe(page, "dashboard")
      await t.shot(page, "dashboard")
      await page.getByRole("listitem").filter({ hasText: "Gate fails" }).getByRole("link", { name: /^See / }).click()
      await page.getByRole("region", { name: "Gate" }).getByText("FAIL").first().waitFor()
      await openWorstWithTrace(page)
      const experiment = page.url()
      await page.getByRole("link", { name: "Open its trace" }).click()
      await page.getByRole("tree", { name: "Spans" }).waitFor()
      await t.shot(page, "trace")
      await page.goto(experiment)
      await page.getByRole("button", { name: "Compare with…" }).click()
      await page.getByRole("dialog").getByRole("link", { name: "answers-v1", exact: true }).click()
      await page.getByRole("heading", { name: "answers-v2 against answers-v1" }).waitFor()
      await page.goto(`${page.url()}?scorer=contains`)
      await page.getByRole("button", { name: /regressed/ }).click()
      await page.getByRole("grid", { name: "Compared items" }).getByRole("row").nth(1).focus()
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Differences" }).waitFor()
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await page.keyboard.press("y")
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      t.expect(copied === page.url(), `copied ${copied} instead of ${page.url()}`)
      await t.shot(page, "compare-diff")
      const link = new URL(copied)
      const colleague = await t.open(link.pathname + link.search)
      await colleague.getByRole("button", { name: "Differences" }).waitFor()
      const [mine, theirs] = await Promise.all([page, colleague].map((one) => one.getByRole("grid", { name: "Compared items" }).innerText()))
      t.expect(mine === theirs, "the colleague sees another table")
    } finally {
      await setGate(t, 0.7, "point")
    }
  },
}

// Experiments: from the list to a gate, to the runs behind it, to the trace of the worst, to the diff of a regression.
import type { Page } from "playwright-core"
import type { Tests } from "./harness.ts"

const P = "/projects/support-demo"

async function sideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
}

export const tests: Tests = {
  "two ticked experiments are compared": async (t) => {
    const page = await t.open(`${P}/experiments`)
    const grid = page.getByRole("grid", { name: "Experiments" })
    await grid.getByRole("link", { name: "answers-v2", exact: true }).waitFor()
    await t.axe(page, "experiments")
    await t.shot(page, "experiments")
    for (const name of ["answers-v1", "answers-v2"]) {
      await grid.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) }).getByRole("checkbox").check()
    }
    await page.keyboard.press("c")
    await page.waitForURL(/\/compare\//)
    await page.getByRole("heading", { name: "answers-v2 against answers-v1" }).waitFor()
    await page.getByText(/better, by/).first().waitFor()
    await t.axe(page, "compare")
    await t.shot(page, "compare")
  },
  "the worst regression is opened, its diff read, and its address shared": async (t) => {
    const { facts } = t.server
    const page = await t.open(`${P}/compare/${facts["answers-v1"]}/${facts["answers-v2"]}?scorer=contains`)
    await page.getByRole("button", { name: /regressed/ }).click()
    await page.waitForURL(/show=regressed/)
    const grid = page.getByRole("grid", { name: "Compared items" })
    await grid.getByRole("row").nth(1).focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(/item=/)
    await page.getByRole("button", { name: "Differences" }).waitFor()
    await t.axe(page, "an item of a comparison")
    const address = new URL(page.url())
    const fresh = await t.open(address.pathname + address.search, { theme: "dark" })
    await fresh.getByRole("button", { name: "Differences" }).waitFor()
    await t.axe(fresh, "compare, dark")
    await t.shot(fresh, "compare-item-dark")
    await page.keyboard.press("s")
    await page.getByRole("heading", { name: "answers-v1 against answers-v2" }).waitFor()
    t.expect(page.url().includes("item="), "swapping lost the place")
  },
  "a gate leads to the runs behind it, and a run to its trace": async (t) => {
    const { facts } = t.server
    const page = await t.open(`${P}/experiments/${facts["answers-v2"]}?scorer=contains`)
    await page.getByRole("region", { name: "Gate" }).getByText(/PASS|FAIL|UNDECIDED/).first().waitFor()
    await page.getByRole("grid", { name: "Runs" }).getByRole("row").nth(1).waitFor()
    await t.axe(page, "experiment")
    await t.shot(page, "experiment")
    await page.getByRole("region", { name: /Why runs have no score/ }).getByRole("button", { name: /no expected_output/ }).last().click()
    await page.waitForURL(/reason=no/)
    await page.getByRole("list", { name: "Filters in force" }).getByText(/no expected_output/).waitFor()
    await page.getByRole("button", { name: "Clear all" }).click()
    await page.goto(`${t.server.url}${P}/experiments/${facts["answers-v2"]}?scorer=contains&sort=score`)
    const first = page.getByRole("grid", { name: "Runs" }).getByRole("row").nth(1)
    await first.waitFor()
    await first.focus()
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Scores" }).waitFor()
    await t.axe(page, "a run")
  },
  "another bar is tried without storing anything": async (t) => {
    const { facts } = t.server
    const page = await t.open(`${P}/experiments/${facts["answers-v2"]}?scorer=contains`, { theme: "dark" })
    const gate = page.getByRole("region", { name: "Gate" })
    await gate.getByRole("spinbutton").fill("0.95")
    await gate.getByRole("button", { name: "Try this bar" }).click()
    await gate.getByText(/FAIL/).first().waitFor()
    await gate.getByRole("button", { name: "Back to the saved one" }).click()
    await gate.getByText(/PASS|UNDECIDED/).first().waitFor()
    await t.axe(page, "experiment, dark")
  },
  "narrow screens, nonsense and hostile names": async (t) => {
    const { facts } = t.server
    const addresses = [
      `${P}/experiments`,
      `${P}/experiments/${facts["answers-v2"]}`,
      `${P}/compare/${facts["answers-v1"]}/${facts["answers-v2"]}?sort=banana&effect=7`,
      `/projects/hostile/compare/${facts["hostile_base"]}/${facts["hostile_other"]}`,
      `/projects/hostile/experiments/${facts["hostile_base"]}`,
    ]
    for (const address of addresses) {
      const page = await t.open(address, { width: 360, height: 740 })
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.getByRole("grid").first().waitFor()
      t.expect(!(await sideways(page)), `${address} scrolls sideways at 360 px`)
      const pwned = await page.evaluate(() => (window as unknown as { __pwned?: number }).__pwned)
      t.expect(pwned === undefined, "something from an experiment was run")
      await t.axe(page, `${address.split("?")[0]} at 360 px`)
    }
  },
}

// Iterations that are numbered by the moment at which their session began are named by it.
import type { Tests } from "./harness.ts"

const NUMBER = 261118210455
const ROW = { signal: "landed", present: true, sub_score: 0.8, nominal_weight: 1, effective_weight: 1, contribution: 0.8 }

export const tests: Tests = {
  "a number that is a moment is shown as one, with the number on hover": async (t) => {
    const project = `moments-${Date.now()}`
    const one = { rubric_version: "team-1", profile: "gnomon", scored: true, value: 0.8, band: "good", breakdown: [ROW], date: "2026-11-18" }
    const iterations = [{ ...one, iteration: NUMBER }, { ...one, iteration: NUMBER + 1_000_000 }]
    const headers = { Authorization: `Bearer ${t.server.key}`, "Content-Type": "application/json" }
    const body = JSON.stringify({ project_id: project, source: "repo", iterations })
    const answer = await fetch(`${t.server.url}/v1/iterations`, { method: "POST", headers, body })
    t.expect(answer.status === 201, `the iterations were refused: ${await answer.text()}`)
    for (const theme of ["light", "dark"] as const) {
      const page = await t.open(`/projects/${project}/iterations`, { theme })
      const link = page.getByRole("grid").getByRole("link", { name: "18 Nov 21:04", exact: true })
      await link.waitFor()
      t.expect((await link.getAttribute("title")) === `Iteration ${NUMBER}`, "the link does not have the number on hover")
      await page.getByRole("figure").first().getByText("18 Nov 21:04").first().waitFor()
      await t.axe(page, `iterations named by moments, ${theme}`)
      await t.shot(page, `iterations-moments-${theme}`)
      await link.click()
      await page.getByRole("heading", { level: 1, name: "Iteration 18 Nov 21:04" }).waitFor()
      await page.getByRole("link", { name: /19 Nov 21:04/ }).waitFor()
      await t.shot(page, `iteration-moment-${theme}`)
    }
  },
  "a plain history: iterations without sessions, agents, or facts to compare claims with": async (t) => {
    const project = `plain-${Date.now()}`
    const absent = { signal: "tests", label: "Test outcomes", present: false, sub_score: 0, nominal_weight: 0.5, effective_weight: 0, contribution: 0, detail: "no transcripts" }
    const claim = { role: "impl", signal: "landed", claimed: { present: true, sub_score: 1, detail: "said so" }, observed: { present: false, sub_score: 0, detail: "" } }
    const one = { rubric_version: "team-1", profile: "gnomon", scored: true, value: 1, band: "excellent", provisional: true, why_provisional: "on 20% of the evidence" }
    const landed = { ...ROW, sub_score: 1, nominal_weight: 0.5, contribution: 1 }
    const iterations = Array.from({ length: 9 }, (_, at) => ({ ...one, iteration: at + 1, breakdown: [landed, absent], integrity: [claim], date: `2026-11-1${at}` }))
    const nothing = { ...one, scored: false, value: null, band: "unscored", provisional: false, why_provisional: null }
    iterations.push({ ...nothing, iteration: 10, breakdown: [absent], integrity: [], date: "2026-11-19" } as never)
    const headers = { Authorization: `Bearer ${t.server.key}`, "Content-Type": "application/json" }
    const answer = await fetch(`${t.server.url}/v1/iterations`, { method: "POST", headers, body: JSON.stringify({ project_id: project, source: "repo", iterations }) })
    t.expect(answer.status === 201, `the iterations were refused: ${await answer.text()}`)
    const page = await t.open(`/projects/${project}/iterations`)
    const grid = page.getByRole("grid", { name: "Iterations" })
    await grid.getByRole("row").nth(1).waitFor()
    t.expect((await grid.getByRole("columnheader").allTextContents()).join(" ").match(/Task|Session|Agent|Model/) === null, "a column without anything in it is shown")
    const plot = page.getByRole("region", { name: "Value over time" })
    t.expect((await plot.locator("svg text").allTextContents()).every((words) => words !== "session"), "there is an axis for sessions without a session")
    const cut = await plot.locator("svg").first().evaluate((svg) => [...svg.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().right > svg.getBoundingClientRect().right + 1).map((text) => text.textContent))
    t.expect(cut.length === 0, `cut at the right: ${cut}`)
    await t.axe(page, "a plain history")
    await t.shot(page, "iterations-plain")
    await page.goto(`${t.server.url}/projects/${project}/integrity`)
    await page.getByText(/^No claim can be compared with a fact/).waitFor()
    await page.getByText("impl: landed: 9 claims without a fact, 0 facts without a claim").waitFor()
    await t.axe(page, "claims without facts")
    await page.goto(`${t.server.url}/projects/${project}/iterations/compare`)
    await page.getByText(/^Choose the first and the last day of two periods. These iterations name no second agent/).waitFor()
    await page.goto(`${t.server.url}/projects/${project}/iterations`)
    await grid.getByRole("link", { name: "10", exact: true }).click()
    await page.getByText("no signal has evidence; not scored").waitFor()
    t.expect((await page.getByRole("group", { name: "Signals" }).getByText("to the others").count()) === 0, "a weight goes to others where there are none")
    await t.axe(page, "an iteration without evidence")
  },
}

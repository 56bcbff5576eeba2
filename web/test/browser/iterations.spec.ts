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
}

// The pictures of the README: GNOMON_RENEW_PICTURES=1 puts them into docs/pictures.
import type { Tests } from "./harness.ts"

const P = "/projects/support-demo"
const SIZE = { width: 1200, height: 720 }

async function firstTrace(url: string, key: string, filter: string): Promise<string> {
  const answer = await fetch(`${url}/v1/traces?project_id=support-demo&limit=1&${filter}`, { headers: { Authorization: `Bearer ${key}` } })
  const { items } = (await answer.json()) as { items: { id: string }[] }
  if (items[0] === undefined) throw new Error(`the demo has no trace with ${filter}`)
  return items[0].id
}

export const tests: Tests = {
  "a comparison": async (t) => {
    const { facts } = t.server
    const page = await t.open(`${P}/compare/${facts["answers-v1"]}/${facts["answers-v2"]}?scorer=contains`, SIZE)
    await page.getByRole("grid", { name: "Compared items" }).getByRole("row").nth(1).waitFor()
    await page.getByRole("figure").nth(1).waitFor()
    await page.waitForLoadState("networkidle")
    await t.shot(page, "picture-compare")
  },
  "a trace": async (t) => {
    const id = await firstTrace(t.server.url, t.server.key, "q=invoke%20agent&sort=-tokens")
    const page = await t.open(`${P}/traces/${id}`, SIZE)
    const tree = page.getByRole("tree", { name: "Spans" })
    await tree.getByRole("treeitem", { name: /chat/ }).last().click()
    await page.getByRole("group", { name: "Input as" }).waitFor()
    await page.waitForLoadState("networkidle")
    await t.shot(page, "picture-trace")
  },
}

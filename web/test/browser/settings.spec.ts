// Settings and rules: keys, budget, prices, metadata keys, text search; a rule previewed, saved, switched and deleted.
import type { Page } from "playwright-core"
import type { Tester, Tests } from "./harness.ts"

const P = "/projects/support-demo"
const OWN = "settings-walk"
/** Tabs, and what stands in each once it has come. */
const TABS = { Keys: "Existing keys", Budget: "Limits per day", Prices: "Add a price", "Metadata keys": "Declare a key", "Text search": "Text search", Retention: "Keep traces", Review: "How people review" }

async function sideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
}

/** A project of this walk alone, so that what it changes is no other's. */
async function ownProject(t: Tester): Promise<string> {
  const headers = { Authorization: `Bearer ${t.server.key}`, "Content-Type": "application/json" }
  const body = JSON.stringify({ id: OWN, name: "Settings walk" })
  const answer = await fetch(`${t.server.url}/v1/projects`, { method: "POST", headers, body })
  if (answer.status !== 201 && answer.status !== 409) throw new Error(`the project was not made: ${await answer.text()}`)
  return `/projects/${OWN}`
}

/** The open tab has come: its own first heading. */
async function ready(page: Page): Promise<void> {
  await page.getByRole("tabpanel").getByRole("heading", { level: 2 }).first().waitFor()
}

export const tests: Tests = {
  "a key is created, its secret shown once, and revoked": async (t) => {
    const own = await ownProject(t)
    const page = await t.open(`${own}/settings`)
    const form = page.getByRole("region", { name: "Create a key" })
    await form.getByLabel("Name").fill("walk key")
    await form.getByLabel("Role").selectOption("read")
    await form.getByLabel("Name").press("Enter")
    const made = page.getByRole("region", { name: "The new key" })
    const secret = (await made.getByLabel("Secret").textContent()) ?? ""
    t.expect(secret.startsWith("gn_"), "the secret is not shown")
    await t.axe(page, "a new key")
    await t.shot(page, "settings-new-key")
    // Leaving now would lose it for good.
    await page.getByRole("tab", { name: "Budget" }).click()
    await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Cancel" }).click()
    const answer = await fetch(`${t.server.url}/v1/session`, { headers: { Authorization: `Bearer ${secret}` } })
    t.expect(((await answer.json()) as { role: string }).role === "read", "the new key has another role")
    await made.getByRole("button", { name: "I have kept it" }).click()
    t.expect(!(await page.content()).includes(secret), "the page still has the secret")
    const row = page.getByRole("table", { name: "Keys" }).getByRole("row").filter({ hasText: "walk key" })
    await row.getByText(OWN).waitFor()
    await row.getByRole("button", { name: "Revoke walk key" }).click()
    const asked = page.getByRole("dialog", { name: "Revoke the key “walk key”?" })
    await t.axe(page, "revoking a key")
    await asked.getByRole("button", { name: "Revoke the key" }).click()
    await row.waitFor({ state: "detached" })
  },
  "a reviewer is invited by a link that is shown once, and labels are the project's own": async (t) => {
    const own = await ownProject(t)
    const page = await t.open(`${own}/settings`)
    const form = page.getByRole("region", { name: "Invite a reviewer" })
    await form.getByLabel("Reviewer's name").fill("invited reviewer")
    await form.getByLabel("Days").fill("no")
    await form.getByText("✕ “no” is not a whole number of days").waitFor()
    await form.getByLabel("Days").fill("3")
    await form.getByLabel("Days").press("Enter")
    const made = page.getByRole("region", { name: "The review link" })
    const link = (await made.getByLabel("Link", { exact: true }).textContent()) ?? ""
    await t.axe(page, "a review link")
    await t.shot(page, "settings-review-link")
    const invited = await t.open(new URL(link).pathname + new URL(link).hash, { key: null, allowed: /401/ })
    await invited.waitForURL(`**${own}/review`)
    await invited.getByText("Nothing waits for you").waitFor()
    await t.axe(invited, "an empty queue of a reviewer")
    await made.getByRole("button", { name: "I have sent it" }).click()
    t.expect(!(await page.content()).includes(link), "the page still has the link")
    await page.getByRole("table", { name: "Keys" }).getByRole("row").filter({ hasText: "invited reviewer" }).getByText("reviewer", { exact: true }).waitFor()
    await page.getByRole("tab", { name: "Review", exact: true }).click()
    await page.getByRole("button", { name: "Add a label" }).click()
    await page.getByLabel("Label 7", { exact: true }).fill("too long")
    await page.getByLabel("Number of too long").fill("2")
    await page.getByText("✕ 2 is outside 0 to 1").waitFor()
    await page.getByLabel("Number of too long").fill("0.5")
    await page.getByRole("button", { name: "Move too long up" }).click()
    await page.getByRole("button", { name: "Save the review settings" }).click()
    await page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" })
    await page.reload()
    await page.getByRole("tabpanel").getByRole("heading", { level: 2 }).first().waitFor()
    t.expect((await page.getByLabel("Label 6", { exact: true }).inputValue()) === "too long", "the new label is not the sixth")
  },
  "the budget is changed, and leaving with a change asks": async (t) => {
    const own = await ownProject(t)
    const page = await t.open(`${own}/settings?tab=budget`)
    const dollars = page.getByLabel("US dollars per day")
    await dollars.fill("two")
    await page.getByText(/✕ “two” is not a number/).waitFor()
    await dollars.fill("2.5")
    await page.getByRole("link", { name: "Rules", exact: true }).click()
    const asked = page.getByRole("dialog", { name: "Leave without saving?" })
    await asked.waitFor()
    await page.keyboard.press("Escape")
    await asked.waitFor({ state: "detached" })
    t.expect((await dollars.inputValue()) === "2.5", "staying lost the text")
    await page.getByRole("button", { name: "Save the limits" }).click()
    await page.getByText(/of \$2\.50 a day/).waitFor()
    await page.reload()
    await page.getByText(/of \$2\.50 a day/).waitFor()
    await page.getByRole("link", { name: "Rules", exact: true }).click()
    await page.getByRole("heading", { name: "Rules", level: 1 }).waitFor()
  },
  "prices, metadata keys and the text search": async (t) => {
    const own = await ownProject(t)
    const page = await t.open(`${own}/settings?tab=prices`)
    const add = page.getByRole("region", { name: "Add a price" })
    await add.getByRole("button", { name: "Add the price" }).click()
    await add.getByText(/Name the model/).waitFor()
    await add.getByLabel("Model").fill("house/llama")
    await add.getByLabel("Input", { exact: true }).fill("0.4")
    await add.getByLabel("Output").fill("1.2")
    await add.getByLabel("Holds since").fill("2026-11-01")
    await add.getByRole("button", { name: "Add the price" }).click()
    const row = page.getByRole("table", { name: "Own prices" }).getByRole("row").filter({ hasText: "2026-11-01" })
    await row.getByText("$0.40").waitFor()
    await row.getByRole("button", { name: /Remove/ }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove the price" }).click()
    await page.getByText(/No own prices yet/).waitFor()
    await page.getByRole("tab", { name: "Prices" }).press("ArrowRight")
    await page.waitForURL(/tab=metadata/)
    await page.getByLabel("Key", { exact: true }).fill("tier")
    await page.getByRole("button", { name: "Declare the key" }).click()
    await page.getByRole("table", { name: "Indexed keys" }).getByRole("row").filter({ hasText: "tier" }).getByText(/indexed/).waitFor()
    await page.getByRole("button", { name: "Remove tier" }).click()
    await page.getByRole("button", { name: "Stop indexing it" }).click()
    await page.getByRole("button", { name: "Remove tier" }).waitFor({ state: "detached" })
    await page.getByRole("tab", { name: "Text search" }).click()
    await page.getByRole("button", { name: "Switch it off…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Switch it off" }).click()
    await page.getByText("○ Off").waitFor()
    await page.getByRole("button", { name: "Switch it on" }).click()
    await page.getByText("● On").waitFor()
  },
  "a rule is previewed, saved, switched, changed and deleted": async (t) => {
    const page = await t.open(`${P}/rules`, { allowed: /400/ })
    await page.getByRole("button", { name: "New rule" }).click()
    await page.getByLabel("Name", { exact: true }).fill("walk rule")
    await page.getByRole("button", { name: "Preview" }).click()
    await page.getByText("Pattern is needed").waitFor()
    t.expect(await page.getByLabel("Pattern").evaluate((field) => field === document.activeElement), "the wrong field has no focus")
    await page.getByLabel("Pattern").fill("(")
    await page.getByLabel("Root spans only").check()
    await page.getByRole("button", { name: "Save the rule" }).click()
    await page.getByText(/is not a regular expression/).waitFor()
    t.expect((await page.getByLabel("Name", { exact: true }).inputValue()) === "walk rule", "the refusal lost the form")
    await page.getByLabel("Pattern").fill("\\d+")
    await page.getByLabel(/Share that is scored/).fill("50")
    await page.getByRole("button", { name: "Preview" }).click()
    const preview = page.getByRole("region", { name: "Preview" })
    await preview.getByText("it would have scored").waitFor()
    await preview.getByText(/costs nothing/).waitFor()
    t.expect((await preview.getByRole("link").count()) > 0, "the preview leads to no trace")
    await t.axe(page, "a new rule with its preview")
    await t.shot(page, "rule-preview")
    await page.getByRole("button", { name: "Save the rule" }).click()
    const row = page.getByRole("grid", { name: "Rules" }).getByRole("row").filter({ hasText: "walk rule" })
    await row.getByText("50").waitFor()
    await row.getByRole("switch").click()
    await row.getByRole("switch", { checked: false }).waitFor()
    await row.getByRole("link", { name: "walk rule" }).click()
    await page.getByLabel(/Share that is scored/).fill("25")
    await t.axe(page, "a rule")
    await t.shot(page, "rule")
    await page.getByRole("button", { name: "Save the changes" }).click()
    await row.getByText("25").waitFor()
    await row.getByRole("button", { name: "Delete the rule walk rule" }).click()
    await page.getByRole("dialog", { name: "Delete the rule “walk rule”?" }).getByRole("button", { name: "Delete the rule" }).click()
    await row.waitFor({ state: "detached" })
  },
  "a server that is gone loses nothing that was typed": async (t) => {
    const own = await ownProject(t)
    const page = await t.open(`${own}/rules?rule=new`, { allowed: /ERR_|Failed to load/ })
    await page.getByLabel("Name", { exact: true }).fill("kept")
    await page.getByLabel("Pattern").fill("x")
    await page.route("**/v1/**", (route) => route.abort())
    await page.route("**/healthz", (route) => route.abort())
    await page.getByRole("button", { name: "Save the rule" }).click()
    await page.getByText("No server answered").waitFor()
    t.expect((await page.getByLabel("Name", { exact: true }).inputValue()) === "kept", "the form lost its text")
    await page.unroute("**/v1/**")
    await page.unroute("**/healthz")
    await page.getByRole("region", { name: "Preview" }).getByRole("button", { name: "Try again" }).click()
    await page.getByRole("grid", { name: "Rules" }).getByRole("link", { name: "kept" }).first().waitFor()
    await page.getByRole("button", { name: "Delete the rule kept" }).first().click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete the rule" }).click()
    await page.getByRole("heading", { name: "No rules yet" }).waitFor()
    await t.axe(page, "no rules")
  },
  "a key that may only read sees all but keys, and why it may change nothing": async (t) => {
    const page = await t.open(`${P}/settings`, { key: t.server.readKey })
    await page.getByRole("heading", { name: "Keys are for admins" }).waitFor()
    await t.axe(page, "keys of a reader")
    const buttons = { Budget: "Save the limits", Prices: "Add the price", "Metadata keys": "Declare the key", "Text search": "Switch it off…", Retention: "Save the retention", Review: "Save the review settings" }
    for (const [tab, button] of Object.entries(buttons)) {
      await page.getByRole("tab", { name: tab, exact: true }).click()
      await page.getByRole("button", { name: button }).waitFor()
      await page.getByText("This key may read only. You can look").waitFor()
      t.expect((await page.getByRole("button", { name: button }).getAttribute("aria-disabled")) === "true", `${button} can be pressed`)
    }
    await page.getByRole("link", { name: "Rules", exact: true }).click()
    const toggle = page.getByRole("switch").first()
    await toggle.waitFor()
    t.expect((await toggle.getAttribute("aria-disabled")) === "true", "a reader can switch a rule")
    await t.axe(page, "rules of a reader")
  },
  "every tab in light and dark, and on a narrow screen": async (t) => {
    for (const theme of ["light", "dark"] as const) {
      const page = await t.open(`${P}/settings`, { theme, ...(theme === "dark" ? { width: 360, height: 740 } : {}) })
      for (const [tab, heading] of Object.entries(TABS)) {
        await page.getByRole("tab", { name: tab, exact: true }).click()
        await page.getByRole("heading", { name: heading, level: 2 }).waitFor()
        await t.axe(page, `settings ${tab}, ${theme}`)
        t.expect(!(await sideways(page)), `settings ${tab} scrolls sideways`)
        await t.shot(page, `settings-${tab.split(" ")[0]?.toLowerCase()}-${theme}`)
      }
      for (const address of [`${P}/rules`, `${P}/rules?rule=new`]) {
        await page.goto(t.server.url + address)
        await page.getByRole("heading", { level: 1 }).waitFor()
        await page.getByText(address.endsWith("new") ? "Spans that match" : "names_a_figure").waitFor()
        await t.axe(page, `${address}, ${theme}`)
        t.expect(!(await sideways(page)), `${address} scrolls sideways`)
      }
      await t.shot(page, `rule-new-${theme}`)
    }
  },
  "nonsense in the address is said, and hostile names stay text": async (t) => {
    const page = await t.open(`${P}/settings?tab=banana`)
    await page.getByText(/ignored/i).first().waitFor()
    await ready(page)
    const gone = await t.open(`${P}/rules?rule=no-such-rule`)
    await gone.getByText(/There is no rule with the id no-such-rule/).waitFor()
    const hostile = await t.open("/projects/hostile/settings?tab=metadata")
    await ready(hostile)
    await hostile.getByLabel("Key", { exact: true }).fill('<img src=x onerror="window.__pwned=1">')
    await hostile.getByRole("button", { name: "Declare the key" }).click()
    const remove = hostile.getByRole("button", { name: /Remove <img/ })
    await remove.click()
    await hostile.getByRole("button", { name: "Stop indexing it" }).click()
    await remove.waitFor({ state: "detached" })
    const pwned = await hostile.evaluate(() => (window as unknown as { __pwned?: number }).__pwned)
    t.expect(pwned === undefined, "a name was run")
  },
}

// What goes wrong, and what a reader sees then: sessions that end, servers that die, browsers without scripts.
import type { Page } from "playwright-core"
import type { Tester, Tests } from "./harness.ts"

const P = "/projects/support-demo"
const LOGGED_OUT = /401/

async function code(t: Tester): Promise<string> {
  const answer = await fetch(`${t.server.url}/v1/session/codes`, {
    method: "POST",
    headers: { Authorization: `Bearer ${t.server.key}` },
  })
  return ((await answer.json()) as { code: string }).code
}

async function sideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
}

export const tests: Tests = {
  "a login link works once, and leaves no code in the history": async (t) => {
    const once = await code(t)
    const page = await t.open(`/login?next=${encodeURIComponent(`${P}/experiments`)}#code=${once}`, { key: null, allowed: LOGGED_OUT })
    await page.waitForURL(`**${P}/experiments`)
    await page.getByRole("grid", { name: "Experiments" }).waitFor()
    t.expect(!page.url().includes(once), "the code is still in the address")
    const again = await t.open(`/login#code=${once}`, { key: null, allowed: LOGGED_OUT })
    await again.getByRole("alert").waitFor()
    await t.axe(again, "login")
    await t.shot(again, "login-used-link")
  },
  "an ended session asks for a key and comes back to the same address": async (t) => {
    const page = await t.open(`${P}/traces?error=true`, { allowed: LOGGED_OUT })
    await page.getByRole("grid", { name: "Traces" }).getByRole("row").nth(1).waitFor()
    await page.context().clearCookies({ name: "gnomon_session" })
    await page.reload()
    await page.waitForURL(/\/login/)
    await page.getByLabel(/key/i).fill("not-a-key")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").waitFor()
    await page.getByLabel(/key/i).fill(t.server.key)
    await page.keyboard.press("Enter")
    await page.waitForURL(`**${P}/traces?error=true`)
    await page.getByRole("grid", { name: "Traces" }).waitFor()
  },
  "a foreign address to come back to is not followed": async (t) => {
    const page = await t.open(`/login?next=${encodeURIComponent("//example.invalid/x")}#code=${await code(t)}`, { key: null, allowed: LOGGED_OUT })
    await page.waitForURL((url) => !url.pathname.startsWith("/login"))
    t.expect(new URL(page.url()).origin === t.server.url, "the login led to another host")
  },
  "a revoked key ends its sessions": async (t) => {
    const headers = { Authorization: `Bearer ${t.server.key}`, "Content-Type": "application/json" }
    const body = JSON.stringify({ role: "read", project_id: "support-demo" })
    const made = (await (await fetch(`${t.server.url}/v1/keys`, { method: "POST", headers, body })).json()) as { id: string; key: string }
    const page = await t.open(`${P}/experiments`, { key: made.key, allowed: LOGGED_OUT })
    await page.getByRole("grid", { name: "Experiments" }).waitFor()
    await fetch(`${t.server.url}/v1/keys/${made.id}`, { method: "DELETE", headers })
    await page.goto(`${t.server.url}${P}/traces`)
    await page.waitForURL(/\/login\?next=/)
  },
  "a project that is gone is said to be": async (t) => {
    const page = await t.open("/projects/no-such-project/experiments", { allowed: /404/ })
    await page.getByRole("alert").waitFor()
    const nowhere = await t.open("/projects/support-demo/no-such-view")
    await nowhere.getByRole("heading", { level: 1 }).waitFor()
  },
  "a browser without scripts reads one sentence": async (t) => {
    const page = await t.open("/", { scripts: false, key: null })
    const words = await page.locator("noscript").textContent()
    t.expect((words ?? "").includes("JavaScript"), "there is no sentence for browsers without scripts")
  },
  "a lost connection is said, and the page comes back with it": async (t) => {
    const page = await t.open(`${P}/experiments`, { allowed: /ERR_INTERNET_DISCONNECTED|Failed to fetch|Is the server running/ })
    await page.getByRole("grid", { name: "Experiments" }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole("link", { name: "Traces" }).click()
    await page.getByText(/server|connection/i).first().waitFor()
    await page.context().setOffline(false)
    await page.getByRole("button", { name: /again|now/i }).first().click()
    await page.getByRole("grid", { name: "Traces" }).getByRole("row").nth(1).waitFor()
  },
  "the whole way by keyboard alone": async (t) => {
    const page = await t.open("/login", { key: null, allowed: LOGGED_OUT })
    await page.getByLabel(/key/i).waitFor()
    await page.keyboard.type(t.server.key)
    await page.keyboard.press("Enter")
    await page.waitForURL((url) => !url.pathname.startsWith("/login"))
    await page.goto(`${t.server.url}${P}/traces`)
    await page.getByRole("grid", { name: "Traces" }).getByRole("row").nth(1).waitFor()
    await page.keyboard.press("g")
    await page.keyboard.press("e")
    await page.waitForURL(/experiments/)
    await page.getByRole("grid", { name: "Experiments" }).getByRole("row").nth(1).waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.waitForURL(/experiments\/./)
    await page.getByRole("grid", { name: "Runs" }).getByRole("row").nth(1).waitFor()
    await page.keyboard.press("?")
    await page.getByRole("dialog").waitFor()
    await t.axe(page, "the list of keys")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
  },
  "at 200 % nothing scrolls sideways": async (t) => {
    const { facts } = t.server
    const addresses = [
      P, `${P}/traces`, `${P}/experiments`, `${P}/experiments/${facts["answers-v2"]}`, `${P}/datasets`, `${P}/jobs`, `${P}/rules`, `${P}/settings`,
      `${P}/compare/${facts["answers-v1"]}/${facts["answers-v2"]}`,
    ]
    // 1280 × 800 at 200 % has room for 640 × 400.
    const page = await t.open(addresses[0] ?? P, { width: 640, height: 400 })
    for (const address of addresses) {
      await page.goto(t.server.url + address)
      await page.getByRole("heading", { level: 1 }).first().waitFor()
      t.expect(!(await sideways(page)), `${address} scrolls sideways at 200 %`)
    }
  },
}

// Traces and one trace: find the failing one, read it, walk it by keyboard, and survive what is in it.
import type { Page } from "playwright-core"
import type { Tester, Tests } from "./harness.ts"

const LIST = "/projects/support-demo/traces"
const HOSTILE = "/projects/hostile/traces"

async function rows(page: Page): Promise<number> {
  await page.getByRole("grid", { name: "Traces" }).getByRole("row").nth(1).waitFor()
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" }) // the rows of the filter before
  return page.getByRole("grid", { name: "Traces" }).getByRole("row").count()
}

async function notPwned(tester: Tester, page: Page): Promise<void> {
  const pwned = await page.evaluate(() => (window as unknown as { __pwned?: number }).__pwned)
  tester.expect(pwned === undefined, `something from a trace was run: ${pwned}`)
}

export const tests: Tests = {
  "a list is filtered, opened and shared by its address": async (t) => {
    const page = await t.open(LIST)
    await rows(page)
    await t.axe(page, "traces")
    await page.getByRole("button", { name: "Errors only" }).click()
    await page.waitForURL(/error=true/)
    await page.getByRole("list", { name: "Filters in force" }).getByText("with an error").waitFor()
    await rows(page)
    await page.getByRole("grid", { name: "Traces" }).getByRole("row").nth(1).click({ position: { x: 400, y: 10 } })
    await page.getByRole("complementary", { name: "The chosen trace" }).waitFor()
    const shared = await t.open(new URL(page.url()).pathname + new URL(page.url()).search)
    await shared.getByRole("complementary", { name: "The chosen trace" }).waitFor()
    t.expect((await rows(shared)) === (await rows(page)), "the same address shows other rows")
    const answer = await page.request.get(`${t.server.url}/v1/traces?project_id=support-demo&has_error=false&limit=1`)
    const [without] = ((await answer.json()) as { items: { id: string }[] }).items
    const unlisted = await t.open(`${LIST}?error=true&peek=${without?.id}`)
    await unlisted.getByRole("complementary", { name: "The chosen trace" }).waitFor()
  },
  "the first error of a trace is one key away, and the tree is walked by keys": async (t) => {
    const page = await t.open(`${HOSTILE}/wide`)
    const tree = page.getByRole("tree", { name: "Spans" })
    await tree.waitFor()
    await page.keyboard.press("e")
    await page.waitForURL(/span=wide-97/)
    await page.getByRole("region", { name: "The chosen span" }).getByText("failed").waitFor()
    await tree.getByRole("treeitem", { selected: true }).focus()
    await page.keyboard.press("j")
    await page.waitForURL(/span=wide-98/)
    await page.keyboard.press("Home")
    await page.waitForURL(/span=wide$/)
    await page.keyboard.press("ArrowLeft")
    await tree.getByRole("treeitem", { expanded: false }).first().waitFor()
    t.expect((await tree.getByRole("treeitem").count()) === 1, "closing the root hides all below")
  },
  "a trace of ten thousand spans shows few rows and scrolls": async (t) => {
    const page = await t.open(`${HOSTILE}/wide`)
    const tree = page.getByRole("tree", { name: "Spans" })
    await tree.waitFor()
    t.expect((await tree.getByRole("treeitem").count()) <= 80, "more than 80 rows are in the page")
    await t.axe(page, "trace")
    const cdp = await page.context().newCDPSession(page)
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" })
    const cpu = async (): Promise<number> => {
      const { metrics } = await cdp.send("Performance.getMetrics")
      return metrics.find((one) => one.name === "TaskDuration")?.value ?? 0
    }
    const before = await cpu()
    const frames = 60
    await tree.evaluate(async (box, count) => {
      for (let at = 1; at <= count; at++) {
        box.scrollTop = (box.scrollHeight * at) / count
        await new Promise((done) => requestAnimationFrame(() => done(undefined)))
      }
    }, frames)
    t.figure("ms of CPU per frame, tree of 10,000", Math.round(((await cpu()) - before) * 10_000 / frames) / 10)
  },
  "what is in a trace stays text": async (t) => {
    for (const trace of ["markup", "large", "deep", "orphan"]) {
      const page = await t.open(`${HOSTILE}/${trace}`, trace === "deep" ? { theme: "dark" } : {})
      await page.getByRole("region", { name: "The chosen span" }).getByRole("heading").first().waitFor()
      await notPwned(t, page)
      await t.axe(page, `trace ${trace}`)
    }
    const list = await t.open(HOSTILE, { theme: "dark" })
    await list.goto(`${t.server.url}${HOSTILE}?after=1970-01-01`)
    await rows(list)
    await notPwned(t, list)
    await t.axe(list, "hostile traces, dark")
    await t.shot(list, "traces-hostile-dark")
  },
  "five megabytes are begun, and loaded whole on demand": async (t) => {
    const page = await t.open(`${HOSTILE}/large`)
    const panel = page.getByRole("region", { name: "The chosen span" })
    await panel.getByText(/First .* of 5\.0.MB/).first().waitFor()
    await panel.getByRole("button", { name: "Load full content" }).first().click()
    await panel.getByText(/First .* of 5\.0.MB/).first().waitFor()
  },
  "nonsense in the address is said and ignored": async (t) => {
    const page = await t.open(`${LIST}?sort=banana&min_duration=-3&colour=red`)
    await page.getByText(/ignored/i).first().waitFor()
    await rows(page)
    const gone = await t.open(`${LIST}/no-such-trace`, { allowed: /404/ })
    await gone.getByRole("alert").waitFor()
  },
  "a narrow screen shows the list and the trace": async (t) => {
    const page = await t.open(LIST, { width: 360, height: 740 })
    await rows(page)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
    t.expect(!wide, "the page scrolls sideways at 360 px")
    await t.axe(page, "traces at 360 px")
    const one = await t.open(`${HOSTILE}/markup`, { width: 360, height: 740 })
    await one.getByRole("tree", { name: "Spans" }).waitFor()
    t.expect(!(await one.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)), "the trace scrolls sideways at 360 px")
  },
  "a key that may only read sees why it may not write": async (t) => {
    const page = await t.open(LIST, { key: t.server.readKey })
    await rows(page)
    const button = page.getByRole("button", { name: /review queue/ }).first()
    await button.waitFor()
    t.expect((await button.getAttribute("aria-disabled")) === "true", "the button of a read-only key can be pressed")
    t.expect(((await button.getAttribute("title")) ?? "").includes("read only"), "the button does not say why")
  },
}

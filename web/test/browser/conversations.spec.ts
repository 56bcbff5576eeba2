// Conversations: from the list to the turn that went worst, what was said and scored in it, and on to its trace.
import type { Page } from "playwright-core"
import type { Tester, Tests } from "./harness.ts"

const P = "/projects/support-demo"
const LIST = `${P}/conversations`
const ODD = "visit/7 ?#&%ä"

async function post(t: Tester, path: string, body: unknown): Promise<void> {
  const headers = { Authorization: `Bearer ${t.server.key}`, "Content-Type": "application/json" }
  const answer = await fetch(`${t.server.url}/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

/** A conversation in a project of its own, with an id of odd signs; its second turn went wrong. */
async function oddConversation(t: Tester): Promise<string> {
  const project = `talks-${Date.now()}`
  const about = { "session.id": ODD, "user.id": "u/1" }
  const turn = (n: number, question: unknown, answer: string) => ({
    id: "root", trace_id: `turn-${n}`, name: "turn", start_time: `2026-06-01T10:00:0${n}Z`, end_time: `2026-06-01T10:00:0${n + 1}Z`,
    input: question, output: answer, metadata: about,
  })
  const earlier = [{ role: "user", content: "Where is my lamp?" }, { role: "assistant", content: "On its way." }]
  const failed = { id: "tool", trace_id: "turn-2", parent_span_id: "root", name: "track parcel", start_time: "2026-06-01T10:00:02Z", error: { message: "no such parcel" } }
  const spans = [
    turn(1, "Where is my lamp?", "On its way."),
    turn(2, [...earlier, { role: "user", content: "Since **when**?" }], "<img src=x onerror='window.__pwned=1'> I cannot say."),
    failed,
    turn(3, "Thanks", "You are welcome."),
  ]
  await post(t, "/traces/ingest", { project_id: project, spans })
  for (const [n, value] of [[1, 0.9], [2, 0.2], [3, 0.8]] as const) {
    const target = { target_type: "span", target_id: "root", trace_id: `turn-${n}`, project_id: project }
    await post(t, "/scores", { ...target, scorer_name: "helpful", value, rationale: `judged turn ${n}` })
  }
  const whole = { target_type: "conversation", target_id: ODD, project_id: project }
  await post(t, "/scores", { ...whole, scorer_name: "solved", value: 0.6, source: "human", rationale: "It took three turns." })
  return project
}

async function grid(page: Page): Promise<void> {
  await page.getByRole("grid", { name: "Conversations" }).getByRole("row").nth(1).waitFor()
}

async function isWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
}

export const tests: Tests = {
  "from the list to the worst turn and its trace": async (t) => {
    const project = await oddConversation(t)
    const page = await t.open(`/projects/${project}/conversations`)
    await grid(page)
    await page.getByRole("link", { name: "0.200 helpful, turn 2" }).click()
    const turn = page.getByRole("listitem", { name: "Turn 2" })
    await turn.waitFor()
    t.expect((await turn.getAttribute("aria-current")) === "true", "the turn of the link is not the chosen one")
    await turn.getByRole("region", { name: "User" }).getByText("when", { exact: true }).waitFor()
    await turn.getByRole("region", { name: "Assistant" }).getByText("I cannot say.").waitFor()
    await turn.getByText("judged turn 2").waitFor()
    await turn.getByText("no such parcel").waitFor()
    await page.getByRole("region", { name: "Scores of the whole conversation" }).getByText("It took three turns.").waitFor()
    t.expect((await page.evaluate(() => (window as unknown as { __pwned?: number }).__pwned)) === undefined, "an answer was run as a page")
    await t.axe(page, "a conversation")
    await turn.getByRole("link", { name: "Open the trace of turn 2" }).click()
    await page.getByRole("tree", { name: "Spans" }).waitFor()
    await page.getByRole("link", { name: `conversation ${ODD}` }).click()
    await turn.waitFor()
    t.expect((await turn.getAttribute("aria-current")) === "true", "the way back from the trace has lost the turn")
    await page.keyboard.press("n")
    await page.waitForURL(/turn=turn-3/)
    await page.keyboard.press("p")
    await page.waitForURL(/turn=turn-2/)
    await turn.getByRole("link", { name: "Error in track parcel" }).click()
    await page.getByRole("region", { name: "The chosen span" }).getByText("no such parcel").first().waitFor()
  },
  "turns without a text say what there is instead: a tool call, or nothing": async (t) => {
    const project = `calls-${Date.now()}`
    const turn = (n: number, fields: object) => ({ id: "root", trace_id: `t${n}`, name: "turn", start_time: `2026-06-01T10:00:0${n}Z`, metadata: { "session.id": "s" }, ...fields })
    const call = { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: { name: "find_order", arguments: '{"order":17}' } }] }
    await post(t, "/traces/ingest", { project_id: project, spans: [turn(1, { input: "Where is order 17?", output: call }), turn(2, {})] })
    const page = await t.open(`/projects/${project}/conversations/s`, { theme: "dark" })
    const first = page.getByRole("listitem", { name: "Turn 1" })
    await first.getByRole("region", { name: "Assistant" }).getByText("[calls find_order]").waitFor()
    t.expect((await first.getByText(/^cost/).count()) === 0, "a turn without a model call has a cost")
    const second = page.getByRole("listitem", { name: "Turn 2" })
    await second.getByText("The root span has no input.").waitFor()
    await second.getByText("The root span has no output.").waitFor()
    await t.axe(page, "a conversation without texts")
    await t.shot(page, "conversation-without-text")
  },
  "a turn goes to the review queue, and leaves it": async (t) => {
    const project = await oddConversation(t)
    const page = await t.open(`/projects/${project}/conversations/${encodeURIComponent(ODD)}`)
    const turn = page.getByRole("listitem", { name: "Turn 2" })
    await turn.getByRole("button", { name: /Add to the review queue/ }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel(/Why should a person/).fill("It does not answer.")
    await dialog.getByRole("button", { name: "Add to the queue" }).click()
    await turn.getByRole("button", { name: /Take out of the review queue/ }).click()
    await turn.getByRole("button", { name: /Add to the review queue/ }).waitFor()
    const reader = await t.open(`${LIST}/talk-07`, { key: t.server.readKey })
    const button = reader.getByRole("button", { name: /Add to the review queue.*turn 1/ })
    await button.waitFor()
    t.expect((await button.getAttribute("aria-disabled")) === "true", "the button of a read-only key can be pressed")
  },
  "the list is filtered by words, errors and user, and shared by its address": async (t) => {
    const page = await t.open(LIST)
    await grid(page)
    await page.getByRole("button", { name: "Errors only" }).click()
    await page.waitForURL(/error=true/)
    await page.getByRole("list", { name: "Filters in force" }).getByText("with an error").waitFor()
    await page.getByRole("button", { name: "Clear all" }).first().click()
    await page.getByLabel("Words in a turn").fill("cancel my subscription")
    await page.waitForURL(/q=cancel/)
    await page.getByRole("grid", { name: "Conversations" }).getByRole("link", { name: /cancel my subscription/i }).first().waitFor()
    const shared = await t.open(`${LIST}?user=nobody`)
    await shared.getByText("No conversations match: user nobody.").waitFor()
    await page.keyboard.press("Escape")
    await page.locator("h1").click()
    await page.keyboard.press("g")
    await page.keyboard.press("t")
    await page.waitForURL(/\/traces/)
    await page.keyboard.press("g")
    await page.keyboard.press("c")
    await page.waitForURL(/\/conversations/)
  },
  "light and dark, wide and narrow": async (t) => {
    for (const width of [1280, 360]) {
      const page = await t.open(LIST, { width, height: width === 360 ? 740 : 900 })
      await grid(page)
      t.expect(!(await isWide(page)), `the list scrolls sideways at ${width} px`)
      await t.inBothThemes(page, `conversations-${width}`)
      await page.goto(`${t.server.url}${LIST}/talk-07`)
      await page.getByRole("listitem", { name: "Turn 4" }).waitFor()
      await page.waitForLoadState("networkidle")
      t.expect(!(await isWide(page)), `a conversation scrolls sideways at ${width} px`)
      await t.inBothThemes(page, `conversation-${width}`)
      await t.done(page)
    }
  },
  "a conversation that is not there, and a project without any": async (t) => {
    const page = await t.open(`${LIST}/no-such`, { allowed: /404/ })
    await page.getByRole("alert").waitFor()
    const project = `no-talks-${Date.now()}`
    await post(t, "/projects", { id: project, name: "No talks" })
    const empty = await t.open(`/projects/${project}/conversations`)
    await empty.getByText("No conversations yet").waitFor()
    await t.axe(empty, "no conversations yet")
  },
}

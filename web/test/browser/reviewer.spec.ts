// Reviewers: two work on one queue by keyboard, each with a session of their own; what they say counts at once.
import type { Page } from "playwright-core"
import type { Tester, Tests } from "./harness.ts"

const PROJECT = "support-demo"
const P = `/projects/${PROJECT}`
const JUDGE = "answers_question"
/** The login asks who is there before it knows; a card that somebody else holds answers 409. */
const EXPECTED = /401|409/
const CARDS = 20
const CARDS_OF_SECOND = 8

interface Annotation {
  id: string
  annotator: string
  label: string | null
  trace_id: string | null
}

async function ask<T>(t: Tester, method: string, path: string, body?: unknown): Promise<T> {
  const headers = { Authorization: `Bearer ${t.server.key}`, "Content-Type": "application/json" }
  const answer = await fetch(`${t.server.url}/v1${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Somebody who opened a one-use link: the page leads them straight to the queue. */
async function invited(t: Tester, name: string, options: Parameters<Tester["open"]>[1] = {}): Promise<Page> {
  const { url_path: path } = await ask<{ url_path: string }>(t, "POST", "/review-links", { project_id: PROJECT, name })
  const page = await t.open(path, { key: null, allowed: EXPECTED, ...options })
  await page.waitForURL(`**${P}/review`)
  await page.getByRole("list", { name: "Cards" }).or(page.getByRole("status")).first().waitFor()
  return page
}

/** A trace of one span that waits in the queue. */
async function queued(t: Tester, id: string, input: unknown, output: unknown): Promise<void> {
  const times = { start_time: "2026-06-01T10:00:00Z", end_time: "2026-06-01T10:00:01Z" }
  await ask(t, "POST", "/traces/ingest", { project_id: PROJECT, spans: [{ id: `${id}-root`, trace_id: id, name: "answer", input, output, ...times }] })
  await ask(t, "POST", `/traces/${id}/queue?project_id=${PROJECT}`, {})
}

/** The card that is open, as it stands in the address. */
function cardOf(page: Page): string {
  return new URL(page.url()).pathname.split("/review/")[1] ?? ""
}

/** The open card can be labelled: it has come, and it is held. */
async function ready(page: Page): Promise<void> {
  await page.getByRole("group", { name: "Was this good?" }).waitFor()
}

async function begin(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Start reviewing/ }).waitFor()
  await page.keyboard.press("n")
  await page.waitForURL(/\/review\/(?:trace|run)\//)
  await ready(page)
}

/** Label one card by keyboard; the answer is which card it was. */
async function label(page: Page, key: string): Promise<string> {
  await ready(page)
  const card = cardOf(page)
  await page.keyboard.press(key)
  await page.getByRole("radio", { checked: true }).waitFor({ state: "attached" })
  await page.keyboard.press("Control+Enter")
  await page.waitForFunction((before) => !window.location.pathname.endsWith(before), `/review/${card}`)
  return card
}

async function annotationsBy(t: Tester, annotator: string): Promise<Annotation[]> {
  const path = `/annotations?project_id=${PROJECT}&annotator=${encodeURIComponent(annotator)}&limit=200`
  return (await ask<{ items: Annotation[] }>(t, "GET", path)).items
}

/** How many targets both the judge and people have rated. */
async function labelledOf(t: Tester): Promise<number> {
  const card = await ask<{ people: { n_labelled: number } | null }>(t, "GET", `/judges/${JUDGE}/card?project_id=${PROJECT}`)
  return card.people?.n_labelled ?? 0
}

async function sideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
}

export const tests: Tests = {
  "two reviewers work on one queue by keyboard, no card is done twice, and the judge's card changes": async (t) => {
    const before = await labelledOf(t)
    const asked: string[] = []
    const watch = { before: (page: Page) => void page.on("request", (request) => void asked.push(new URL(request.url()).pathname)) }
    const [first, second] = [await invited(t, "first reviewer", watch), await invited(t, "second reviewer")]
    t.expect(!asked.some((path) => path.startsWith("/v1/") && !/^\/v1\/(session|queue|projects\/[^/]+\/review-settings)/.test(path)), "a reviewer's page asks for what it may not see")
    await first.getByText(/\d+ of \d+ waiting/).waitFor()
    const counts = await ask<{ pending: number }>(t, "GET", `/queue/counts?project_id=${PROJECT}`)
    t.expect(counts.pending >= CARDS + CARDS_OF_SECOND, `only ${counts.pending} cards wait`)
    await begin(first)
    await begin(second)
    t.expect(cardOf(first) !== cardOf(second), "both reviewers were given the same card")
    const reviewed: [string[], string[]] = [[], []]
    await Promise.all([
      (async () => {
        for (let at = 0; at < CARDS; at++) reviewed[0].push(await label(first, String((at % 3) + 1)))
      })(),
      (async () => {
        for (let at = 0; at < CARDS_OF_SECOND; at++) reviewed[1].push(await label(second, "1"))
      })(),
    ])
    const twice = reviewed[0].filter((card) => reviewed[1].includes(card))
    t.expect(twice.length === 0, `done twice: ${twice.join(", ")}`)
    for (const [name, cards] of [["first reviewer", reviewed[0]], ["second reviewer", reviewed[1]]] as const) {
      const stored = (await annotationsBy(t, name)).map((one) => `trace/${one.trace_id}`)
      t.expect(stored.length === cards.length && cards.every((card) => stored.includes(card)), `${name}: ${cards.length} cards were labelled, ${stored.length} stored`)
    }
    const after = await labelledOf(t)
    t.expect(after > before, `the judge's card has ${before} labels before and ${after} after`)
    t.figure("labels on the judge's card before", before)
    t.figure("labels on the judge's card after", after)
    await t.shot(first, "review-saved-and-next")
  },
  "a card that somebody else has open is held for them, and free when they leave": async (t) => {
    const [first, second] = [await invited(t, "third reviewer"), await invited(t, "fourth reviewer")]
    await begin(first)
    const card = cardOf(first)
    await second.goto(first.url())
    await second.getByText(/third reviewer is reviewing this one until \d\d:\d\d UTC/).waitFor()
    t.expect((await second.getByRole("group", { name: "Was this good?" }).count()) === 0, "a held card can be labelled")
    await t.axe(second, "a held card")
    await t.shot(second, "review-held")
    await second.goto(`${t.server.url}${P}/review`)
    await second.getByText(/third reviewer is reviewing this one until/).waitFor()
    await first.keyboard.press("Escape")
    await first.waitForURL(`**${P}/review`)
    await second.goto(`${t.server.url}${P}/review/${card}`)
    await ready(second)
  },
  "an open card is held for as long as it is open, and given back when the window closes": async (t) => {
    const page = await invited(t, "ninth reviewer", { before: async (one) => one.clock.install() })
    await begin(page)
    const card = cardOf(page)
    const renewed = page.waitForRequest((request) => request.method() === "POST" && request.url().includes(`/v1/queue/${card}/claim`))
    await page.clock.fastForward("05:30")
    await renewed
    const holder = async (): Promise<string | null> => (await ask<{ claimed_by: string | null }>(t, "GET", `/queue/${card}?project_id=${PROJECT}`)).claimed_by
    t.expect((await holder()) === "ninth reviewer", "an open card is held by nobody")
    await page.goto("about:blank")
    while ((await holder()) !== null) await new Promise((after) => setTimeout(after, 100))
  },
  "who comes back to a card after their claim ran out learns what happened to it, and loses nothing": async (t) => {
    const page = await invited(t, "tenth reviewer")
    await begin(page)
    const card = cardOf(page)
    const release = (annotator: string): Promise<unknown> => ask(t, "DELETE", `/queue/${card}/claim?project_id=${PROJECT}&annotator=${encodeURIComponent(annotator)}`)
    const claim = (annotator: string): Promise<unknown> => ask(t, "POST", `/queue/${card}/claim?project_id=${PROJECT}`, { annotator })
    const wake = (hours: number): Promise<void> =>
      page.evaluate((by) => {
        // As after a machine slept: the clock is ahead, and no timer has run.
        const now = Date.now
        Date.now = () => now() + by * 3_600_000
        window.dispatchEvent(new Event("focus"))
      }, hours)
    await page.goto(page.url()) // by its link, not by "next"
    await ready(page)
    await page.getByText("Notes", { exact: true }).click()
    const notes = page.getByLabel("Anything else to say")
    await notes.fill("half a thought")
    await release("tenth reviewer")
    await claim("quick reviewer")
    await wake(0.1) // so short that the other's claim has not run out by this clock
    await page.getByText(/by now\. What you wrote stays/).waitFor()
    t.expect((await notes.inputValue()) === "half a thought", "what was written is lost")
    await t.axe(page, "a card that was taken meanwhile")
    await release("quick reviewer")
    await notes.fill("") // leaving with text would ask
    await page.reload()
    await ready(page)
    await page.getByText("Notes", { exact: true }).click()
    await notes.fill("half a thought")
    await release("tenth reviewer")
    await ask(t, "POST", "/annotations", { project_id: PROJECT, trace_id: card.replace("trace/", ""), annotator: "quick reviewer", label: "correct" })
    await wake(1)
    await page.getByText("Somebody else has reviewed this one meanwhile.").waitFor()
    t.expect((await notes.inputValue()) === "half a thought", "what was written is lost")
    await t.shot(page, "review-meanwhile")
    await notes.fill("")
  },
  "a card that was taken out says so in plain words, and leads on": async (t) => {
    const page = await invited(t, "eleventh reviewer", { allowed: /401|404|409/ })
    await page.goto(`${t.server.url}${P}/review/trace/nothing-here`)
    await page.getByRole("heading", { name: "This card is not in the queue" }).waitFor()
    t.expect((await page.getByText(/NOT_FOUND|request/).count()) === 0, "a reviewer reads codes")
    await t.axe(page, "no card")
    await t.shot(page, "review-gone")
    await page.keyboard.press("n")
    await ready(page)
    await page.keyboard.press("?")
    const keys = page.getByRole("dialog", { name: "Keys" })
    await keys.getByText("Choose the label with that number").waitFor()
    t.expect((await keys.getByText("On other pages").count()) === 0, "a reviewer is shown keys of pages that they never see")
  },
  "a card that is deleted while somebody writes about it says so, and keeps what they wrote": async (t) => {
    await queued(t, "short-lived", "Will I stay?", "No.")
    const page = await invited(t, "thirteenth reviewer", { allowed: /401|404/ })
    await page.goto(`${t.server.url}${P}/review/trace/short-lived`)
    await ready(page)
    await page.getByText("Score", { exact: true }).first().click()
    await page.getByLabel("Score", { exact: true }).fill("5")
    await page.keyboard.press("Control+Enter")
    await page.getByRole("alert").getByText("The score is 5; please give a number from 0 to 1, or a word").waitFor()
    await page.getByLabel("Score", { exact: true }).fill("0.5")
    await page.getByText("Notes", { exact: true }).click()
    const notes = page.getByLabel("Anything else to say")
    await notes.fill("half a thought")
    await ask(t, "DELETE", `/traces/short-lived?project_id=${PROJECT}`)
    await page.keyboard.press("Control+Enter")
    await page.getByRole("alert").getByText(/taken out of the queue meanwhile/).waitFor()
    t.expect((await notes.inputValue()) === "half a thought", "what was written is lost")
    t.expect((await page.getByText(/NOT_FOUND|request /).count()) === 0, "a reviewer reads codes")
    await t.axe(page, "a card that was deleted")
    await t.shot(page, "review-deleted")
    await notes.fill("")
    await page.getByLabel("Score", { exact: true }).fill("")
  },
  "long answers, other languages and data are read without jumping about": async (t) => {
    await queued(t, "long-answer", "متى يصل طلبي؟", `سيصل يوم الاثنين.\n\n- أولا\n\n${"A sentence in English. ".repeat(400)}`)
    await queued(t, "data-answer", { order: { id: 7 } }, { status: "sent", lines: [{ name: "lamp_a_b", count: 2 }] })
    const page = await invited(t, "fourteenth reviewer")
    await page.goto(`${t.server.url}${P}/review/trace/long-answer`)
    await ready(page)
    const answer = page.getByRole("region", { name: "Answer" })
    const directions = await answer.locator("[dir=auto]").evaluateAll((all) => all.map((one) => getComputedStyle(one).direction))
    t.expect(directions.join() === "rtl,rtl,ltr", `the answer's parts run ${directions.join()}`)
    await page.keyboard.press("2")
    const chosen = page.locator("label:has(:checked)")
    await chosen.waitFor()
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector("label:has(:checked)")?.getBoundingClientRect() ?? { top: -1, bottom: -1 }
      return top >= 0 && bottom <= window.innerHeight
    })
    await t.shot(page, "review-long")
    await page.keyboard.press("u")
    await page.goto(`${t.server.url}${P}/review/trace/data-answer`)
    await ready(page)
    t.expect((await answer.innerText()).includes("lines:\n  - name: lamp_a_b\n    count: 2"), `data reads ${await answer.innerText()}`)
    await t.axe(page, "data to review")
    await t.shot(page, "review-data")
    for (const id of ["long-answer", "data-answer"]) await ask(t, "DELETE", `/traces/${id}?project_id=${PROJECT}`)
  },
  "what a judge said is not even sent to a developer who has not labelled": async (t) => {
    const waiting = await ask<{ items: { target_type: string; target_id: string; claimed_by: string | null }[] }>(t, "GET", `/queue?project_id=${PROJECT}&status=pending&limit=200`)
    let judged: string | undefined
    for (const { target_type: type, target_id: id } of waiting.items.filter((one) => one.claimed_by === null)) {
      const whole = await ask<{ scores: { source: string }[] }>(t, "GET", `/queue/${type}/${id}?project_id=${PROJECT}`)
      if (whole.scores.some((score) => score.source !== "human")) judged ??= `${type}/${id}`
    }
    if (judged === undefined) throw new Error("no waiting card has a judge's score")
    const page = await t.open("/healthz")
    const sent: string[] = []
    page.on("response", (response) => {
      if (response.url().includes(`/v1/queue/${judged}?`)) void response.json().then((card: { scores: unknown[] }) => sent.push(String(card.scores.length)))
    })
    await page.goto(`${t.server.url}${P}/review/${judged}`)
    await page.getByLabel("Your name, as others will see it").fill("careful developer")
    await page.keyboard.press("Enter")
    await ready(page)
    await page.waitForLoadState("networkidle")
    t.expect(sent.length > 0 && sent.every((count) => count === "0"), `scores that came before the label: ${sent.join()}`)
    await page.keyboard.press("1")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("region", { name: "What automatic scorers said" }).waitFor()
    await page.keyboard.press("u")
    await ready(page)
    t.expect((await annotationsBy(t, "careful developer")).length === 0, "the undone review is still stored")
    await page.keyboard.press("u")
  },
  "a link that was used leads on in its browser, and in another one says what to do": async (t) => {
    const { url_path: path } = await ask<{ url_path: string }>(t, "POST", "/review-links", { project_id: PROJECT, name: "fifteenth reviewer" })
    const page = await t.open(path, { key: null, allowed: EXPECTED })
    await page.waitForURL(`**${P}/review`)
    await page.goto("about:blank")
    await page.goto(t.server.url + path)
    await page.waitForURL(`**${P}/review`)
    const other = await t.open(path, { key: null, allowed: EXPECTED })
    await other.getByRole("alert").getByText(/This link does not work any more: .* Ask whoever sent it to you for a new one/).waitFor()
    t.expect((await other.getByText(/gnomon key/).count()) === 0, "a reviewer reads commands")
    await t.axe(other, "a used link")
  },
  "the conversation before a question can be read": async (t) => {
    const said = [
      { role: "system", content: "Be kind." }, { role: "user", content: "Is the lamp in stock?" },
      { role: "assistant", content: "Yes, in two colours." }, { role: "user", content: "And the other one?" },
    ]
    const times = { start_time: "2026-06-01T10:00:00Z", end_time: "2026-06-01T10:00:01Z" }
    const root = { id: "chat-root", trace_id: "long-chat", name: "answer", input: { messages: said }, output: "That one is sold out.", ...times }
    await ask(t, "POST", "/traces/ingest", { project_id: PROJECT, spans: [root] })
    await ask(t, "POST", `/traces/long-chat/queue?project_id=${PROJECT}`, {})
    const page = await invited(t, "twelfth reviewer")
    await page.goto(`${t.server.url}${P}/review/trace/long-chat`)
    await page.getByRole("region", { name: "Question" }).getByText("And the other one?").waitFor()
    await page.getByText("The whole conversation, 4 messages").click()
    const turns = page.getByRole("list", { name: "The whole conversation" }).getByRole("listitem")
    t.expect((await turns.allInnerTexts()).map((one) => one.replace("\n", ": ")).join(" | ").includes("Person: Is the lamp in stock? | Assistant: Yes, in two colours."), `the turns are ${(await turns.allInnerTexts()).join(" | ")}`)
    await t.axe(page, "a card with its conversation")
    await t.shot(page, "review-conversation")
    await ask(t, "DELETE", `/traces/long-chat/queue?project_id=${PROJECT}`)
  },
  "a key that may only read looks through the cards and is told so": async (t) => {
    const page = await t.open(`${P}/review`, { key: t.server.readKey })
    await page.getByText("You can read the cards, but not review them.").waitFor()
    t.expect((await page.getByRole("button", { name: "Start reviewing" }).count()) === 0, "a read-only key is offered to review")
    await page.getByRole("button", { name: "Look through the cards" }).click()
    await page.waitForURL(/\/review\/(?:trace|run)\//)
    await page.getByRole("form", { name: "Your review" }).getByText("This key may read only.").waitFor()
    await t.axe(page, "a card for a read-only key")
    await page.goto(`${t.server.url}${P}/review?q=no+card+has+these+words`)
    await page.getByRole("button", { name: "Show all cards" }).click()
    await page.getByRole("list", { name: "Cards" }).waitFor()
  },
  "nothing filled is said, leaving with text asks, and what was saved can be undone": async (t) => {
    const page = await invited(t, "fifth reviewer")
    await begin(page)
    const card = cardOf(page)
    await page.keyboard.press("Control+Enter")
    await page.getByText("Please provide at least a label, correction, or notes").waitFor()
    await t.axe(page, "a card with nothing filled in")
    await page.getByText("Notes", { exact: true }).click()
    const notes = page.getByLabel("Anything else to say")
    await notes.fill("n p u 1 are letters here")
    await notes.press("n")
    t.expect((await notes.inputValue()).endsWith("heren"), "a key acted inside a text field")
    await notes.press("Escape")
    await page.keyboard.press("Escape")
    const asked = page.getByRole("dialog", { name: "Leave without saving?" })
    await asked.waitFor()
    await asked.getByRole("button", { name: "Cancel" }).click()
    t.expect(cardOf(page) === card, "staying left the card")
    await page.keyboard.press("2")
    await page.getByText("Correction", { exact: true }).click()
    const correction = page.getByLabel("The answer as it should have been")
    t.expect((await correction.inputValue()) !== "", "the correction does not begin with the answer")
    await correction.fill("A better answer.")
    await correction.press("Control+Enter")
    await page.waitForFunction((before) => !window.location.pathname.endsWith(before), `/review/${card}`)
    await page.getByText(/Saved/).first().waitFor()
    t.expect((await annotationsBy(t, "fifth reviewer")).length === 1, "the review is not stored")
    await ready(page) // the key is the form's, which comes with the card
    await page.keyboard.press("u")
    await page.waitForURL(`**/review/${card}`)
    await page.getByRole("radio", { checked: true }).waitFor({ state: "attached" })
    t.expect((await page.getByLabel("The answer as it should have been").inputValue()) === "A better answer.", "undo lost the correction")
    t.expect((await annotationsBy(t, "fifth reviewer")).length === 0, "the undone review is still stored")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    const own = page.getByRole("region", { name: "Your review" })
    await own.getByText("Your review is saved").waitFor()
    await own.getByRole("region", { name: "What automatic scorers said" }).waitFor()
    t.expect((await own.getByRole("button", { name: /dataset/ }).count()) === 0, "a reviewer is offered what they may not do")
    await own.getByRole("button", { name: "Change it" }).click()
    await page.keyboard.press("1")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await own.getByText("Correct", { exact: true }).waitFor()
    const [changed, ...more] = await annotationsBy(t, "fifth reviewer")
    t.expect(changed?.label === "correct" && more.length === 0, `changing stored ${changed?.label} and ${more.length} more`)
    await t.axe(page, "a saved review")
    await t.shot(page, "review-mine")
    await page.keyboard.press("n")
    await page.waitForFunction((before) => !window.location.pathname.endsWith(before), `/review/${card}`)
    await ready(page)
    await page.keyboard.press("p")
    await page.waitForURL(`**/review/${card}`)
    await page.getByText("Your review is saved").waitFor()
  },
  "what a developer puts into the queue stands there with its reason, and a run's correction becomes an item": async (t) => {
    const { items: experiments } = await ask<{ items: { id: string; name: string }[] }>(t, "GET", `/experiments?project_id=${PROJECT}`)
    const experiment = experiments.find((one) => one.name === "answers-v2")?.id ?? ""
    const page = await t.open(`${P}/experiments/${experiment}`)
    await page.getByRole("grid", { name: "Runs" }).getByRole("row").nth(1).waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Add to the queue…" }).click()
    const dialog = page.getByRole("dialog", { name: "Add to the review queue" })
    await dialog.getByLabel("Why should a person look at it?").fill("two scorers disagree")
    await t.axe(page, "adding to the queue")
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "It is in the review queue" }).click()
    await page.getByText("Why it is here: two scorers disagree").waitFor()
    await page.getByLabel("Your name, as others will see it").fill("developer")
    await page.keyboard.press("Enter")
    await ready(page)
    await page.keyboard.press("1")
    await page.getByText("Correction", { exact: true }).click()
    await page.getByLabel("The answer as it should have been").fill("As it should have been.")
    await page.getByText("Score", { exact: true }).first().click()
    await page.getByLabel("Score", { exact: true }).fill("0.9")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("button", { name: "Save to a dataset…" }).click()
    await page.getByRole("dialog", { name: "Save to a dataset" }).getByRole("button", { name: "Save the item" }).click()
    await page.getByRole("link", { name: "Open the dataset" }).waitFor()
    await t.shot(page, "review-run")
    await page.goto(`${t.server.url}${P}/traces`)
    await page.getByRole("button", { name: /\+ add/ }).first().click()
    await dialog.getByLabel("Why should a person look at it?").fill("chosen from the list")
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    const waiting = await ask<{ items: { reason: string | null }[] }>(t, "GET", `/queue?project_id=${PROJECT}&limit=200`)
    t.expect(waiting.items.some((row) => row.reason === "chosen from the list"), "the reason is not stored")
    await page.goto(`${t.server.url}${P}/review?show=mine`)
    await page.getByText("Why it is here: two scorers disagree").waitFor()
    await page.getByRole("button", { name: /Take out/ }).click()
    await page.getByText("You have not reviewed a card yet.").waitFor()
  },
  "a reviewer sees the queue alone": async (t) => {
    const page = await invited(t, "sixth reviewer")
    for (const path of ["/", P, `${P}/traces`, `${P}/settings`, "/projects/other/review"]) {
      await page.goto(t.server.url + path)
      await page.waitForURL(`**${P}/review`)
      await page.getByRole("heading", { name: "Review", level: 1 }).waitFor()
      t.expect((await page.getByRole("navigation").count()) === 0, `${path} shows the left bar`)
    }
    await begin(page)
    const asked: string[] = []
    page.on("request", (request) => void (/\/v1\/(?!session)/.test(request.url()) && asked.push(`${request.method()} ${new URL(request.url()).pathname}`)))
    await page.reload()
    await ready(page)
    await page.waitForLoadState("networkidle")
    // Leaving gives the card back; that is not a request of the view that opens.
    const opening = asked.filter((one) => !one.startsWith("DELETE"))
    t.figure("requests of a card", opening.length)
    t.expect(opening.length > 0 && opening.length <= 3, `a card takes ${opening.join(", ")}`)
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keys" }).getByText("Choose the label with that number").waitFor()
    await page.keyboard.press("Escape")
  },
  "reviewers who work blind see each other after they have spoken, and agreement is measured": async (t) => {
    const settings = await ask<Record<string, unknown>>(t, "GET", `/projects/${PROJECT}/review-settings`)
    await ask(t, "PUT", `/projects/${PROJECT}/review-settings`, { ...settings, reviews_wanted: 3, blind: true })
    const [page, other] = [await invited(t, "seventh reviewer"), await invited(t, "eighth reviewer")]
    await begin(page)
    const card = cardOf(page)
    await label(page, "1")
    await page.keyboard.press("Escape")
    await page.waitForURL(`**${P}/review`)
    await other.goto(`${t.server.url}${P}/review/${card}`)
    await ready(other)
    t.expect((await other.getByText("seventh reviewer").count()) === 0, "a blind review shows what others said")
    await other.keyboard.press("2")
    await other.getByRole("button", { name: "Save", exact: true }).click()
    await other.getByRole("region", { name: "Earlier reviews" }).getByText("seventh reviewer").waitFor()
    const people = await t.open(`${P}/review/agreement`)
    await people.getByText(/Reviewers .* on labels: α|How well reviewers agree on labels is not known/).waitFor()
    const link = people.getByRole("region", { name: "Disagreements" }).getByRole("link").first()
    await t.axe(people, "agreement")
    await t.shot(people, "review-agreement")
    await link.click()
    await people.waitForURL(/\/review\/trace\//)
    await people.getByRole("region", { name: "Question" }).waitFor()
    await ask(t, "PUT", `/projects/${PROJECT}/review-settings`, settings)
  },
  "every view in light and dark, wide and narrow": async (t) => {
    const [{ target_type: type, target_id: id }] = (await ask<{ items: { target_type: string; target_id: string }[] }>(t, "GET", `/queue?project_id=${PROJECT}&status=pending&limit=1`)).items as [{ target_type: string; target_id: string }]
    for (const width of [1280, 360]) {
      const page = await t.open("/healthz", { width, height: 800 })
      const views: [string, string, () => Promise<unknown>][] = [
        ["queue", `${P}/review`, () => page.getByRole("list", { name: "Cards" }).waitFor()],
        ["card", `${P}/review/${type}/${id}`, () => page.getByRole("region", { name: "Answer" }).waitFor()],
        ["agreement", `${P}/review/agreement`, () => page.getByRole("heading", { name: "By pair of reviewers" }).waitFor()],
        ["settings", `${P}/settings?tab=review`, () => page.getByRole("button", { name: "Save the review settings" }).waitFor()],
      ]
      for (const [name, address, there] of views) {
        await page.goto(t.server.url + address)
        await there()
        t.expect(!(await sideways(page)), `${name} scrolls sideways at ${width}`)
        await t.inBothThemes(page, `review-${name}-${width}`)
      }
      await t.done(page)
    }
  },
}

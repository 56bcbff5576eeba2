// What every browser test stands on: a browser, pages that fail on anything unclean, axe, and screenshots.
import { readFileSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core"

export interface Server {
  url: string
  /** A key that may do everything. */
  key: string
  /** A key that may only read. */
  readKey: string
  project: string
  /** Files that were made for this run: ids of what the tests look for, by name. */
  facts: Record<string, string>
  results: string
}

export interface Tester {
  server: Server
  /** A page of a browser profile with nothing in it but a session, unless said otherwise. */
  open(path: string, options?: OpenOptions): Promise<Page>
  /** Say that a page is not looked at any more, so that the next one may use its process. */
  done(page: Page): Promise<void>
  /** Problems that do not stop the test at once. */
  expect(truth: boolean, words: string): void
  /** Report a measured figure; Python reads it. */
  figure(name: string, value: number): void
  shot(page: Page, name: string): Promise<void>
  axe(page: Page, name: string): Promise<void>
  /** axe and a picture in light and in dark; the colours change while the page is open, as with a system's setting. */
  inBothThemes(page: Page, name: string): Promise<void>
}

export interface OpenOptions {
  key?: string | null
  theme?: "light" | "dark"
  width?: number
  height?: number
  /** Words of console errors that this test causes on purpose. */
  allowed?: RegExp
  /** False for a browser that runs no scripts. */
  scripts?: boolean
  /** Called before the address is opened, in a profile that has loaded nothing yet. */
  before?: (page: Page) => Promise<void> | void
}

export type Tests = Record<string, (tester: Tester) => Promise<void>>

/** Until a test gives up on what must come, in milliseconds. It is long, so that a busy machine fails no test. */
const PATIENCE = 600_000

/** What every view asks for, which is no cost of its own. The stream of events has no size either: it does not end. */
export const OF_EVERY_VIEW = new Set(["/v1/session", "/v1/projects", "/v1/events"])

/** The cookie of who is logged in. */
const SESSION = "gnomon_session"

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe holds a page to. */
const ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
/** Those that may answer otherwise when nothing but the colours changed. */
const RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"]

export async function launch(executablePath: string, more: string[] = []): Promise<Browser> {
  // Without these, a browser on a machine with a closed network looks for its vendor's hosts at every start.
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", ...quiet, ...more]
  return await chromium.launch({ executablePath, args, timeout: PATIENCE })
}

/**
 * Pages whose test has ended, by the server and the key that they are logged in with. A page that is opened in one of them finds the
 * process started and the scripts compiled, which is two thirds of what opening a view costs.
 */
export class Kept {
  private readonly pages = new Map<string, Page[]>()

  take(url: string, key: string): Page | undefined {
    return this.pages.get(`${url} ${key}`)?.pop()
  }

  /** Takes from the page all that its test has left, and keeps it; one that is logged out is closed. */
  async add(key: string, page: Page, url: string): Promise<void> {
    for (const event of ["console", "pageerror", "request", "response", "dialog", "download"] as const) page.removeAllListeners(event)
    await page.unrouteAll()
    await page.goto(`${url}/healthz`)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await page.context().clearPermissions()
    const names = (await page.context().cookies()).map((cookie) => cookie.name)
    const place = `${url} ${key}`
    if (names.includes(SESSION)) this.pages.set(place, [...(this.pages.get(place) ?? []), page])
    else await page.context().close()
  }
}

export class Run implements Tester {
  problems: string[] = []
  figures: Record<string, number> = {}
  private readonly contexts: BrowserContext[] = []
  private readonly pages: Page[] = []
  /** Pages of this test that may be kept for the next one, and their keys. */
  private readonly lasting = new Map<Page, string>()

  private readonly browser: Browser
  private readonly kept: Kept
  readonly server: Server

  constructor(browser: Browser, server: Server, kept: Kept) {
    this.browser = browser
    this.server = server
    this.kept = kept
  }

  async open(path: string, options: OpenOptions = {}): Promise<Page> {
    const { theme = "light", width = 1280, height = 800 } = options
    const key = options.key === undefined ? this.server.key : options.key
    const lasts = key !== null && options.before === undefined && options.scripts !== false
    const used = lasts ? this.kept.take(this.server.url, key) : undefined
    if (used !== undefined) {
      await used.setViewportSize({ width, height })
      await used.emulateMedia({ colorScheme: theme })
    }
    const page = used ?? (await this.fresh(key, options))
    if (used !== undefined) this.contexts.push(used.context())
    if (lasts) this.lasting.set(page, key)
    this.pages.push(page)
    this.watch(page, options.allowed)
    await options.before?.(page)
    await page.goto(this.server.url + path)
    return page
  }

  private async fresh(key: string | null, options: OpenOptions): Promise<Page> {
    const { theme = "light", width = 1280, height = 800 } = options
    const context = await this.browser.newContext({
      colorScheme: theme,
      locale: "en-US",
      reducedMotion: "reduce",
      timezoneId: "UTC",
      viewport: { width, height },
      javaScriptEnabled: options.scripts ?? true,
    })
    context.setDefaultTimeout(PATIENCE)
    this.contexts.push(context)
    if (key !== null) await this.login(context, key)
    return await context.newPage()
  }

  async done(page: Page): Promise<void> {
    const key = this.lasting.get(page)
    if (key === undefined || this.problems.length > 0) return
    this.lasting.delete(page)
    this.pages.splice(this.pages.indexOf(page), 1)
    this.contexts.splice(this.contexts.indexOf(page.context()), 1)
    await this.kept.add(key, page, this.server.url)
  }

  private async login(context: BrowserContext, key: string): Promise<void> {
    const answer = await context.request.post(`${this.server.url}/v1/session`, { data: { key }, timeout: PATIENCE })
    if (answer.status() !== 201) throw new Error(`login answered ${answer.status()}: ${await answer.text()}`)
  }

  /** Any console error, page error, policy report or request to another host is a problem. */
  private watch(page: Page, allowed?: RegExp): void {
    const note = (words: string): void => {
      if (!allowed?.test(words)) this.problems.push(words)
    }
    page.on("console", (message) => {
      if (message.type() === "error") note(`console: ${message.text()} (${message.location().url})`)
    })
    page.on("pageerror", (error) => note(`page error: ${error.message}`))
    page.on("request", (request) => {
      const url = new URL(request.url())
      if (/^https?:$/.test(url.protocol) && url.origin !== new URL(this.server.url).origin) note(`foreign request: ${url.href}`)
    })
  }

  expect(truth: boolean, words: string): void {
    if (!truth) this.problems.push(words)
  }

  figure(name: string, value: number): void {
    this.figures[name] = value
  }

  async shot(page: Page, name: string): Promise<void> {
    mkdirSync(this.server.results, { recursive: true })
    await page.screenshot({ path: join(this.server.results, `${name}.png`) })
  }

  async axe(page: Page, name: string, rules: string[] = ALL_RULES): Promise<void> {
    // Through the debugger, so that the page's policy stays as strict as it is.
    const session = await page.context().newCDPSession(page)
    const has = await session.send("Runtime.evaluate", { expression: "'axe' in window", returnByValue: true })
    if (has.result.value !== true) await session.send("Runtime.evaluate", { expression: `${AXE}; 0` })
    const found = await session.send("Runtime.evaluate", {
      awaitPromise: true,
      expression: `axe.run(document, {runOnly: ${JSON.stringify(rules)}, resultTypes: ["violations"]}).then((r) => JSON.stringify(
        r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + n.html.slice(0, 160)).join(" | "))))`,
      returnByValue: true,
    })
    await session.detach()
    if (found.exceptionDetails !== undefined) this.problems.push(`axe on ${name}: ${found.exceptionDetails.text}`)
    for (const words of JSON.parse((found.result.value as string | undefined) ?? "[]") as string[]) {
      this.problems.push(`axe on ${name}: ${words}`)
    }
  }

  async inBothThemes(page: Page, name: string): Promise<void> {
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await this.axe(page, `${name}, ${theme}`, theme === "light" ? ALL_RULES : RULES_OF_COLOUR)
      await this.shot(page, `${name}-${theme}`)
    }
  }

  /** Keep a picture of what a failed test saw, and the pages of one that went well. */
  async close(name: string): Promise<void> {
    for (const page of [...this.lasting.keys()]) {
      if (!page.isClosed()) await this.done(page)
    }
    for (const [at, page] of this.pages.entries()) {
      if (this.problems.length > 0 && !page.isClosed()) await this.shot(page, `failed-${name}-${at}`).catch(() => undefined)
    }
    for (const context of this.contexts) await context.close()
  }
}

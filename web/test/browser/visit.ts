// node visit.ts SETTINGS: opens addresses in turns, each in a fresh profile, and prints what each visit cost as a line of JSON.
// bench/speed/page.py runs this. No request leaves the machine: other hosts have no address here, and are counted.
import { gzipSync } from "node:zlib"
import type { Browser, BrowserContext, CDPSession } from "playwright-core"
import { launch } from "./harness.ts"

interface Visit {
  name: string
  origin: string
  /** A path of the same server that shows nothing, so that the process of the page is there before the clock starts. */
  blank: string
  path: string
  /** The selector of the first content. */
  ready: string
  /** A key to log in with. */
  key?: string
}

interface Settings {
  browser: string
  rounds: number
  /** Milliseconds to wait for the first content. */
  patience: number
  /** Milliseconds after the first content until which requests are counted. */
  after: number
  visits: Visit[]
  /** Where to put a picture per visit, if anywhere. */
  pictures?: string
}

interface Cost {
  /** Seconds of the clock and of the main thread's CPU, from the command to go there to the first content. */
  seconds: number
  cpu: number
  /** CPU of the main thread some time later. */
  cpuAfter: number
  heap: number
  /** Bytes as they travel. */
  code: number
  /** The scripts and styles as gzip, whether they travel so or not. */
  codeCompressed: number
  bytes: number
  requests: number
  foreign: string[]
}

const CLOSED_NETWORK = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
const settings = JSON.parse(process.argv[2]!) as Settings

async function metric(cdp: CDPSession, name: string): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics")
  return metrics.find((each) => each.name === name)?.value ?? 0
}

/** Counts requests and bytes from now on, and notes the addresses of scripts and styles. */
async function count(cdp: CDPSession, origin: string, cost: Cost, addresses: Set<string>): Promise<void> {
  const code = new Set<string>()
  await cdp.send("Network.enable")
  cdp.on("Network.requestWillBeSent", ({ request }) => {
    const url = new URL(request.url)
    if (!/^https?:$/.test(url.protocol)) return
    if (url.origin === origin) cost.requests += 1
    else cost.foreign.push(url.host)
  })
  cdp.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (type !== "Script" && type !== "Stylesheet") return
    code.add(requestId)
    addresses.add(response.url)
  })
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    cost.bytes += encodedDataLength
    if (code.has(requestId)) cost.code += encodedDataLength
  })
}

const compressed = new Map<string, number>()

async function compressedSize(context: BrowserContext, addresses: Set<string>): Promise<number> {
  let size = 0
  for (const address of addresses) {
    const known = compressed.get(address) ?? gzipSync(await (await context.request.get(address)).body()).length
    compressed.set(address, known)
    size += known
  }
  return size
}

async function login(context: BrowserContext, visit: Visit): Promise<void> {
  const answer = await context.request.post(`${visit.origin}/v1/session`, { data: { key: visit.key } })
  if (answer.status() !== 201) throw new Error(`login answered ${answer.status()}: ${await answer.text()}`)
}

async function go(browser: Browser, visit: Visit): Promise<Cost> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" })
  try {
    if (visit.key !== undefined) await login(context, visit)
    const page = await context.newPage()
    await page.goto(visit.origin + visit.blank)
    const cdp = await context.newCDPSession(page)
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" })
    const cost: Cost = { seconds: 0, cpu: 0, cpuAfter: 0, heap: 0, code: 0, codeCompressed: 0, bytes: 0, requests: 0, foreign: [] }
    const addresses = new Set<string>()
    await count(cdp, visit.origin, cost, addresses)
    const before = await metric(cdp, "TaskDuration")
    const began = performance.now()
    await page.goto(visit.origin + visit.path, { waitUntil: "commit" })
    try {
      await page.locator(visit.ready).first().waitFor({ timeout: settings.patience })
      cost.seconds = (performance.now() - began) / 1000
      cost.cpu = (await metric(cdp, "TaskDuration")) - before
      await page.waitForTimeout(settings.after)
      cost.cpuAfter = (await metric(cdp, "TaskDuration")) - before
      cost.heap = await metric(cdp, "JSHeapUsedSize")
      cost.codeCompressed = await compressedSize(context, addresses)
    } finally {
      if (settings.pictures !== undefined) {
        await page.screenshot({ path: `${settings.pictures}/${visit.name.replaceAll(/[^a-z0-9]+/gi, "-")}.png` })
      }
    }
    return cost
  } finally {
    await context.close()
  }
}

const browser = await launch(settings.browser, CLOSED_NETWORK)
for (let round = 0; round < settings.rounds; round++) {
  for (const visit of settings.visits) {
    try {
      console.log(JSON.stringify({ name: visit.name, round, cost: await go(browser, visit) }))
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      console.log(JSON.stringify({ name: visit.name, round, problem: words.split("\n", 1)[0] }))
    }
  }
}
await browser.close()

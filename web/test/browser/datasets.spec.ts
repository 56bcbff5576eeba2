// Datasets: find one, read it by version, change it, import into it, and survive what is in it.
import type { Page } from "playwright-core"
import type { Tester, Tests } from "./harness.ts"

const LIST = "/projects/support-demo/datasets"
const CSV = [
  "input,expected_output,id,topic",
  'What do I pay to return "it"?,"Nothing, it is free",r-1,returns',
  "one cell too few,x,r-2",
  '"Where is\nmy parcel?",In the app,r-3,parcels',
  "one cell too many,x,r-4,none,more",
].join("\n")
const LINES = ['{"input": "by line", "key": "l-1"}', "not JSON", '{"expected_output": "no input"}', '{"input": {"deep": [1, 2]}}'].join("\n")

const unique = (): string => Math.random().toString(36).slice(2, 10)

async function dataset(page: Page, name: string): Promise<void> {
  await page.getByRole("grid", { name: "Datasets" }).getByRole("link", { name, exact: true }).click()
  await items(page).getByRole("row").nth(1).waitFor()
}

function items(page: Page) {
  return page.getByRole("grid", { name: "Items", exact: true })
}

/** A dataset of its own for a test that writes. */
async function made(t: Tester, page: Page): Promise<string> {
  const name = `browser ${unique()}`
  await page.getByRole("button", { name: "New dataset" }).click()
  const dialog = page.getByRole("dialog", { name: "New dataset" })
  await dialog.getByLabel("Name").fill(name)
  await dialog.getByLabel("Description").fill("Made by a test")
  await t.axe(page, "new dataset")
  await dialog.getByLabel("Name").press("Enter")
  await page.getByRole("heading", { name, level: 1 }).waitFor()
  return name
}

async function addItem(page: Page, input: string): Promise<void> {
  await page.getByRole("button", { name: "Add an item" }).click()
  await page.getByRole("dialog").getByLabel("Input", { exact: true }).fill(input)
  await page.getByRole("dialog").getByRole("button", { name: "Add the item" }).click()
  await page.getByRole("dialog").waitFor({ state: "detached" })
}

/** Deleting asks with the dataset's name. */
async function deleteIt(page: Page, button: string | RegExp, name = "browser"): Promise<void> {
  await page.getByRole("button", { name: "Delete" }).click()
  const dialog = page.getByRole("dialog", { name: "Delete this dataset?" })
  await dialog.getByText(name).waitFor()
  await dialog.getByRole("button", { name: button }).click()
  await page.getByRole("heading", { name: "Datasets", level: 1 }).waitFor()
}

async function fits(t: Tester, page: Page, name: string): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1)
  t.expect(!wide, `${name} scrolls sideways`)
}

async function notPwned(t: Tester, page: Page): Promise<void> {
  const pwned = await page.evaluate(() => (window as unknown as { __pwned?: number }).__pwned)
  t.expect(pwned === undefined, `something from a dataset was run: ${pwned}`)
}

export const tests: Tests = {
  "a dataset is found, read by version, and shared by its address": async (t) => {
    const page = await t.open(LIST)
    await page.getByRole("grid", { name: "Datasets" }).getByRole("row").nth(4).waitFor()
    await t.axe(page, "datasets")
    await t.shot(page, "datasets-light")
    await page.getByLabel("Name").fill("SUPPORT")
    await page.waitForURL(/q=SUPPORT/)
    await page.getByRole("link", { name: /11 experiments behind this/ }).waitFor()
    await dataset(page, "support-questions")
    await items(page).getByRole("row").nth(1).click({ position: { x: 60, y: 10 } })
    await page.getByRole("region", { name: "Runs on this item" }).getByRole("row").nth(3).waitFor()
    await t.axe(page, "dataset, an item open")
    await t.shot(page, "dataset-item-light")
    const shared = await t.open(new URL(page.url()).pathname + new URL(page.url()).search)
    await shared.getByRole("region", { name: "Runs on this item" }).waitFor()
    await page.getByRole("tab", { name: /Versions/ }).click()
    const versions = page.getByRole("table", { name: "Versions" })
    await versions.getByRole("row").nth(2).waitFor()
    await t.axe(page, "versions")
    await t.shot(page, "dataset-versions-light")
    await versions.getByRole("link", { name: "2", exact: true }).click()
    await page.getByRole("list", { name: "Filters in force" }).getByText("version 2").waitFor()
    const add = page.getByRole("button", { name: "Add an item" })
    t.expect((await add.getAttribute("aria-disabled")) === "true", "an old version can be changed")
    await page.getByLabel("Text in an item").fill("no item has this text")
    await page.getByText(/No items match/).waitFor()
  },
  "item quality is filtered by chips, and says by how much it is sure": async (t) => {
    const page = await t.open(LIST)
    await dataset(page, "support-questions")
    await page.getByRole("tab", { name: "Item quality" }).click()
    const table = page.getByRole("grid", { name: "Items by quality" })
    await table.getByRole("row").nth(3).waitFor()
    await t.axe(page, "quality")
    await t.shot(page, "dataset-quality-light")
    const toggle = page.getByRole("button", { name: /^Always solved \(\d+\)$/ })
    const count = Number(/\d+/.exec((await toggle.textContent()) ?? "")?.[0])
    await toggle.click()
    await page.waitForURL(/solved=always/)
    if (count === 0) await page.getByText(/No items match/).waitFor()
    else await table.getByRole("row").nth(count).waitFor()
    await page.getByRole("list", { name: "Filters in force" }).getByRole("button", { name: /always solved/ }).click()
    await table.getByRole("row").nth(3).waitFor()
    await page.getByLabel("Order").selectOption("telling")
    await page.waitForURL(/sort=telling/)
    await table.getByRole("row").nth(1).focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(/item=/)
    await page.getByRole("region", { name: "Runs on this item" }).waitFor()
  },
  "a dataset is made, filled from CSV and lines, edited and deleted": async (t) => {
    const page = await t.open(LIST)
    const name = await made(t, page)
    await page.getByText("No items yet").waitFor()
    await page.getByRole("button", { name: "Import" }).click()
    let dialog = page.getByRole("dialog", { name: "Import items" })
    await dialog.getByLabel("File").setInputFiles({ name: "returns.csv", mimeType: "text/csv", buffer: Buffer.from(CSV) })
    await dialog.getByText(/read as CSV/).waitFor()
    await t.axe(page, "import")
    await dialog.getByRole("button", { name: "Import", exact: true }).click()
    await dialog.getByText("2 items imported").waitFor()
    const skipped = dialog.getByRole("table", { name: "Skipped lines" })
    await skipped.getByRole("row", { name: /^3 .*cells/ }).waitFor()
    await skipped.getByRole("row", { name: /^6 .*cells/ }).waitFor()
    await t.axe(page, "imported")
    await t.shot(page, "dataset-import-light")
    await dialog.getByRole("button", { name: "Close" }).click()
    await page.getByRole("button", { name: "Import" }).click()
    dialog = page.getByRole("dialog", { name: "Import items" })
    await dialog.getByLabel("File").setInputFiles({ name: "more.jsonl", mimeType: "text/plain", buffer: Buffer.from(LINES) })
    await dialog.getByRole("button", { name: "Import", exact: true }).click()
    await dialog.getByText("2 items imported").waitFor()
    await skipped.getByRole("row", { name: /^2 / }).waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await items(page).getByRole("row").nth(4).waitFor()

    await page.getByLabel("Text in an item").fill("PARCELS")
    await page.waitForURL(/q=PARCELS/)
    const row = items(page).getByRole("row").filter({ hasText: "r-3" })
    await row.click({ position: { x: 60, y: 10 } })
    await page.getByRole("button", { name: "Edit" }).click()
    dialog = page.getByRole("dialog", { name: "Edit the item" })
    await dialog.getByLabel("Metadata").fill("{broken")
    await dialog.getByRole("button", { name: "Save as a new version" }).click()
    await dialog.getByText(/This is not JSON/).waitFor()
    await t.axe(page, "edit, with a problem")
    await t.shot(page, "dataset-edit-light")
    await dialog.getByLabel("Metadata").fill('{"topic": "parcels", "sure": true}')
    await dialog.getByLabel("Expected output", { exact: true }).fill("In the app, under Orders")
    await dialog.getByRole("button", { name: "Save as a new version" }).click()
    await dialog.waitFor({ state: "detached" })
    await items(page).getByRole("row").filter({ hasText: "under Orders" }).first().waitFor()
    await page.getByRole("button", { name: "Remove", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove the item" }).click()
    await page.getByText(/No items match/).waitFor()

    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: "Export" }).click()
    t.expect((await download).suggestedFilename() === `${name.replace(" ", "-")}-v5.ndjson`, `export is named ${(await download).suggestedFilename()}`)
    await deleteIt(page, "Delete 3 items in 5 versions", name)
    await page.getByRole("link", { name }).waitFor({ state: "detached" })
  },
  "what was typed stays when the server refuses or is gone, and leaving asks": async (t) => {
    const page = await t.open(LIST, { allowed: /409|ERR_FAILED|Failed to load resource|500/ })
    await made(t, page)
    await addItem(page, "first")
    await items(page).getByRole("row").nth(1).waitFor()
    await page.getByRole("button", { name: "Add an item" }).click()
    const dialog = page.getByRole("dialog", { name: "Add an item" })
    const input = dialog.getByLabel("Input", { exact: true })
    await input.fill("a long text that nobody wants to type twice")
    const path = /\/v1\/datasets\/[^/]+\/items$/
    await page.route(path, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()))
    await dialog.getByRole("button", { name: "Add the item" }).click()
    await dialog.getByText("No server answered").waitFor()
    t.expect((await input.inputValue()).startsWith("a long text"), "the text is gone with the server")
    await page.unroute(path)
    const body = { error: { code: "INVALID_REQUEST", message: "no", details: { errors: [{ field: "metadata", message: "refused here" }] } } }
    await page.route(path, (route) => (route.request().method() === "POST" ? route.fulfill({ status: 500, json: body }) : route.continue()))
    await dialog.getByRole("button", { name: "Add the item" }).click()
    await dialog.getByText("refused here").waitFor()
    t.expect((await input.inputValue()).startsWith("a long text"), "the text is gone with the refusal")
    await page.unroute(path)
    await input.focus()
    await page.keyboard.press("Escape")
    await dialog.getByText("What you typed is not stored").waitFor()
    await page.keyboard.press("Escape")
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    t.expect(await dialog.evaluate((element) => (element as HTMLDialogElement).open), "Esc twice closes a form with text in it")
    await dialog.getByRole("button", { name: "Keep writing" }).click()
    await page.goBack()
    await dialog.getByText("What you typed is not stored").waitFor()
    await t.axe(page, "leaving")
    await dialog.getByRole("button", { name: "Keep writing" }).click()
    await dialog.getByRole("button", { name: "Add the item" }).click()
    await dialog.waitFor({ state: "detached" })
    await items(page).getByRole("row").nth(2).waitFor()
    await deleteIt(page, /^Delete 2 items/)
  },
  "what is in a dataset stays text, in dark as well": async (t) => {
    const page = await t.open(`/projects/hostile/datasets/${t.server.facts["hostile_dataset"]}`, { theme: "dark" })
    await items(page).getByRole("row").nth(2).waitFor()
    await items(page).getByRole("row").nth(2).click({ position: { x: 60, y: 10 } })
    await page.getByRole("region", { name: "Runs on this item" }).waitFor()
    await notPwned(t, page)
    await t.axe(page, "hostile dataset, dark")
    await t.shot(page, "dataset-hostile-dark")
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByRole("dialog").getByLabel("Input", { exact: true }).waitFor()
    await t.axe(page, "edit, dark")
    await t.shot(page, "dataset-edit-dark")
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("tab", { name: "Item quality" }).click()
    await page.getByRole("grid", { name: "Items by quality" }).getByRole("row").nth(1).waitFor()
    await t.axe(page, "hostile quality, dark")
    const list = await t.open("/projects/hostile/datasets", { theme: "dark" })
    await list.getByRole("grid", { name: "Datasets" }).getByRole("row").nth(1).waitFor()
    await notPwned(t, list)
    await t.axe(list, "hostile datasets, dark")
  },
  "a narrow screen shows the list, the items and the form": async (t) => {
    const page = await t.open(LIST, { width: 360, height: 740 })
    await page.getByRole("grid", { name: "Datasets" }).getByRole("row").nth(1).waitFor()
    await fits(t, page, "the list at 360 px")
    await t.axe(page, "datasets at 360 px")
    await t.shot(page, "datasets-360")
    await dataset(page, "support-questions")
    await items(page).getByRole("row").nth(1).click({ position: { x: 60, y: 10 } })
    await page.getByRole("region", { name: "Runs on this item" }).waitFor()
    await fits(t, page, "a dataset at 360 px")
    await t.axe(page, "dataset at 360 px")
    await t.shot(page, "dataset-360")
    await page.getByRole("tab", { name: "Item quality" }).click()
    await page.getByRole("grid", { name: "Items by quality" }).getByRole("row").nth(1).waitFor()
    await fits(t, page, "quality at 360 px")
    await t.shot(page, "dataset-quality-360")
    await page.getByRole("button", { name: "Add an item" }).click()
    await page.getByRole("dialog").waitFor()
    await t.axe(page, "form at 360 px")
    await t.shot(page, "dataset-form-360")
  },
  "nonsense in the address is said, and a key that may only read sees why": async (t) => {
    const page = await t.open(`${LIST}?q=support&colour=red`, { key: t.server.readKey })
    await page.getByText(/ignored/i).first().waitFor()
    const make = page.getByRole("button", { name: "New dataset" })
    t.expect((await make.getAttribute("aria-disabled")) === "true", "a read-only key may make a dataset")
    await dataset(page, "support-questions")
    for (const name of ["Add an item", "Import", "Delete"]) {
      const title = await page.getByRole("button", { name, exact: true }).getAttribute("title")
      t.expect((title ?? "").includes("read only"), `${name} does not say why it cannot be pressed`)
    }
    const odd = await t.open(`${new URL(page.url()).pathname}?version=1.5&show=banana&bar=7`)
    await odd.getByText(/ignored/i).first().waitFor()
    await items(odd).getByRole("row").nth(1).waitFor()
    const future = await t.open(`${new URL(page.url()).pathname}?version=999`, { allowed: /404/ })
    await future.getByRole("alert").getByText(/versions 1 to/).waitFor()
    const gone = await t.open(`${LIST}/no-such-dataset`, { allowed: /404/ })
    await gone.getByRole("alert").waitFor()
  },
}

// The page below a path: its files, the login link, links and the address bar all keep the path.
import type { Tests } from "../harness.ts"

export const tests: Tests = {
  "the printed link logs in, and the page stays below its path": async (t) => {
    const base = new URL(t.server.url).pathname
    const page = await t.open(`/login#code=${t.server.facts.code}`, { key: null, allowed: /401/ })
    await page.waitForURL((url) => !url.pathname.endsWith("/login"))
    await page.getByRole("link", { name: "Traces", exact: true }).click()
    await page.waitForURL((url) => url.pathname === `${base}/projects/${t.server.project}/traces`)
    await page.getByText(`OTEL_EXPORTER_OTLP_ENDPOINT=${t.server.url}`).first().waitFor()
    await page.getByRole("link", { name: "Datasets", exact: true }).click()
    await page.getByRole("link", { name: "capitals" }).click()
    await page.getByRole("heading", { name: "capitals" }).waitFor()
    t.expect(new URL(page.url()).pathname.startsWith(`${base}/projects/`), `a link led to ${page.url()}`)
    const download = await page.getByRole("link", { name: "Export" }).getAttribute("href")
    t.expect(download?.startsWith(`${base}/v1/datasets/`) ?? false, `the export is at ${download}`)
    await page.reload()
    await page.getByRole("heading", { name: "capitals" }).waitFor()
  },
  "without a session it asks to log in and leads back": async (t) => {
    const base = new URL(t.server.url).pathname
    const page = await t.open(`/projects/${t.server.project}/datasets`, { key: null, allowed: /401/ })
    await page.waitForURL((url) => url.pathname === `${base}/login`)
    await page.getByLabel("Key").fill(t.server.key)
    await page.keyboard.press("Enter")
    await page.waitForURL((url) => url.pathname === `${base}/projects/${t.server.project}/datasets`)
    await page.getByRole("link", { name: "capitals" }).waitFor()
  },
}

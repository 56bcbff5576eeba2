// node run.ts SPEC SETTINGS: runs the tests of one file and prints one line of JSON per test.
import { Kept, launch, Run, type Server, type Tests } from "./harness.ts"

const [spec, settings, only] = process.argv.slice(2) as [string, string, string?]
const { browser: path, ...server } = JSON.parse(settings) as Server & { browser: string }
const { tests } = (await import(`./${spec}.spec.ts`)) as { tests: Tests }
const browser = await launch(path)
const kept = new Kept()
for (const [name, test] of Object.entries(tests)) {
  if (only !== undefined && !name.includes(only)) continue
  const run = new Run(browser, server, kept)
  const began = performance.now()
  try {
    await test(run)
  } catch (error) {
    run.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  await run.close(`${spec}-${name}`.replaceAll(/[^a-z0-9]+/gi, "-"))
  const seconds = Math.round((performance.now() - began) / 100) / 10
  console.log(JSON.stringify({ name, seconds, problems: run.problems, figures: run.figures }))
}
await browser.close()

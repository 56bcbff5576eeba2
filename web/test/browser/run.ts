// node run.ts BROWSER: runs the files of tests that standard input names, a line of JSON each, all in one browser. It prints a line of
// JSON per test, and one without a name after each file.
import { createInterface } from "node:readline"
import { Kept, launch, Run, type Server, type Tests } from "./harness.ts"

const browser = await launch(process.argv[2]!)
const kept = new Kept()

async function runFile(spec: string, server: Server): Promise<void> {
  const { tests } = (await import(`./${spec}.spec.ts`)) as { tests: Tests }
  for (const [name, test] of Object.entries(tests)) {
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
}

for await (const line of createInterface(process.stdin)) {
  const { spec, server } = JSON.parse(line) as { spec: string; server: Server }
  await runFile(spec, server)
  console.log("{}")
}
await browser.close()

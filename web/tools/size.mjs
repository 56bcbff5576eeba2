// Prints what the first load of the built page weighs (gzip -9) and fails above the budget: node tools/size.mjs [folder]
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"

const BUDGET = 130_000
const folder = process.argv[2] ?? new URL("../../src/gnomon/server/static", import.meta.url).pathname
const names = new Set()

/** A file and what it imports at once; what it imports later is no first load. */
function add(name) {
  if (names.has(name)) return
  names.add(name)
  if (!name.endsWith(".js")) return
  const text = readFileSync(`${folder}/assets/${name}`, "utf8")
  for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) add(other)
}

for (const [, name] of readFileSync(`${folder}/index.html`, "utf8").matchAll(/\/assets\/([^"]+)"/g)) add(name)
let total = 0
for (const name of names) {
  const bytes = gzipSync(readFileSync(`${folder}/assets/${name}`), { level: 9 }).length
  total += bytes
  console.log(`${String(bytes).padStart(8)}  ${name}`)
}
console.log(`${String(total).padStart(8)}  first load, of ${BUDGET}`)
if (total > BUDGET) process.exit(1)

// Writes types from an OpenAPI document: node tools/generate.mjs openapi.json schema.d.ts "first line"
import { readFileSync, writeFileSync } from "node:fs"
import openapiTS, { astToString } from "openapi-typescript"

const [document, target, firstLine] = process.argv.slice(2)
const nodes = await openapiTS(JSON.parse(readFileSync(document, "utf8")), { alphabetize: true })
writeFileSync(target, `${firstLine}\n\n${astToString(nodes)}`)

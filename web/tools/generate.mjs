// Writes src/api/schema.d.ts from an OpenAPI document: node tools/generate.mjs openapi.json src/api/schema.d.ts
import { readFileSync, writeFileSync } from "node:fs"
import openapiTS, { astToString } from "openapi-typescript"

const [document, target] = process.argv.slice(2)
const nodes = await openapiTS(JSON.parse(readFileSync(document, "utf8")), { defaultNonNullable: false, alphabetize: true })
writeFileSync(target, `// Made by tools/generate.mjs from the OpenAPI document; \`make web-types\` renews it.\n\n${astToString(nodes)}`)

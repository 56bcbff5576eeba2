import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const SRC = fileURLToPath(new URL("../../src/", import.meta.url))

/** All source files with one of these endings, absolute; the generated types are none. */
export function sources(...endings: string[]): string[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((name) => endings.some((ending) => name.endsWith(ending)) && !name.endsWith("schema.d.ts"))
    .map((name) => SRC + name)
}

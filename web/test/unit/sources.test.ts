// Rules about the sources themselves: no HTML from data, views apart from each other, small files.
import { readFileSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { SRC, sources } from "./sources"

const files = sources(".ts", ".tsx").map((file) => ({ name: relative(SRC, file), text: readFileSync(file, "utf8"), file }))

const FORBIDDEN = [
  "dangerouslySetInnerHTML",
  "innerHTML",
  "outerHTML",
  "insertAdjacentHTML",
  "DOMParser",
  "srcdoc",
  "srcDoc",
  "document.write",
  "createContextualFragment",
  "eval(",
  "new Function",
  "<style",
  "<script",
  "<iframe",
  "<object",
  "<embed",
]

test.each(FORBIDDEN)("no source has %s", (name) => {
  expect(files.filter((file) => file.text.includes(name)).map((file) => file.name)).toEqual([])
})

test("no host but our own", () => {
  const named = files.filter((file) => /["'`(]https?:\/\/(?!127\.0\.0\.1)\w/.test(file.text)).map((file) => file.name)
  expect(named).toEqual([])
})

test("styles load nothing and name no colour of their own", () => {
  for (const file of sources(".css")) {
    const text = readFileSync(file, "utf8")
    expect(text, file).not.toMatch(/@import|url\(|expression\(/)
    if (!file.endsWith("tokens.css")) expect(text, file).not.toMatch(/#[0-9a-f]{3,8}\b|light-dark\(/i)
  }
})

/** Sources that a file imports, relative to src, without endings. */
function imports({ text, file }: { text: string; file: string }): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path]) =>
    relative(SRC, resolve(dirname(file), path as string)),
  )
}

describe("views", () => {
  test("are imported by routes only, or within their own folder by what is no view", () => {
    const wrong: string[] = []
    for (const file of files) {
      for (const path of imports(file).filter((one) => one.startsWith("views/"))) {
        const folder = (name: string) => name.split("/").slice(0, 2).join("/")
        const sameFeature = folder(file.name) === folder(path)
        if (file.name !== "routes.tsx" && !(sameFeature && !VIEWS.has(path))) wrong.push(`${file.name} → ${path}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test("are each in a file of their name", () => {
    for (const path of VIEWS) {
      const name = path.split("/").at(-1)
      const source = files.find((file) => file.name === `${path}.tsx`)
      expect(source?.text, path).toContain(`export function ${name}(`)
    }
  })
})

const VIEWS = new Set(imports(files.find((file) => file.name === "routes.tsx")!).filter((path) => path.startsWith("views/")))

test("lower layers import no higher ones", () => {
  const rank: Record<string, number> = { words: 0, api: 0, plots: 1, parts: 1, shell: 2, views: 2 }
  const wrong = files.flatMap((file) => {
    const own = rank[file.name.split("/")[0] as string]
    if (own === undefined) return []
    return imports(file)
      .filter((path) => (rank[path.split("/")[0] as string] ?? -1) > own)
      .map((path) => `${file.name} → ${path}`)
  })
  expect(wrong).toEqual([])
})

test("files are short, and none is a drawer for everything", () => {
  expect(files.filter((file) => file.text.split("\n").length > 251).map((file) => file.name)).toEqual([])
  expect(files.filter((file) => /(?:^|\/)(?:index|utils?|common|helpers?)\.tsx?$/.test(file.name))).toEqual([])
})

test("only the development server knows a key", () => {
  const client = files.find((file) => file.name === "api/client.ts")?.text
  expect(client).toContain("import.meta.env.DEV ? import.meta.env.VITE_DEV_KEY : undefined")
  expect(files.filter((file) => file.text.includes("VITE_DEV_KEY")).map((file) => file.name).sort()).toEqual(["api/client.ts", "vite-env.d.ts"])
})

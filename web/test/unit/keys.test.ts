import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import type { Binding, KeyId } from "../../src/keys"
import { idsFor, KEYS, keyLabel, needsFocus, pressedKey, withKey } from "../../src/keys"
import { NAVIGATION } from "../../src/shell/navigation"
import { sources } from "./sources"

const bindings = Object.entries(KEYS) as [KeyId, Binding][]

test("a key means one thing in one place", () => {
  const taken = new Map<string, string>()
  for (const [id, { keys, where }] of bindings) {
    for (const key of keys) {
      for (const place of where === "Anywhere" ? [...new Set(bindings.map(([, one]) => one.where))] : [where, "Anywhere"]) {
        const before = taken.get(`${place}: ${key}`)
        expect(before === undefined || before === id, `${key} in ${place}: ${before} and ${id}`).toBe(true)
      }
      taken.set(`${where}: ${key}`, id)
    }
  }
})

test("no key begins a sequence and is one itself", () => {
  const all = bindings.flatMap(([, { keys }]) => keys)
  for (const sequence of all.filter((key) => key.includes(" "))) expect(all).not.toContain(sequence.split(" ")[0])
})

test("no browser key is taken", () => {
  // Ctrl+Enter is none: no browser has it, and forms everywhere are sent by it.
  for (const [, { keys }] of bindings) {
    for (const key of keys) if (key !== "Ctrl+Enter") expect(key).not.toMatch(/Ctrl|Meta|Alt|^F\d|Tab| {2}/)
  }
})

test("sequences", () => {
  expect(idsFor("g", null)).toEqual({ ids: [], pending: "g" })
  expect(idsFor("t", "g")).toEqual({ ids: ["go.traces"], pending: null })
  expect(idsFor("t", null)).toEqual({ ids: ["theme"], pending: null })
  expect(idsFor("k", "g")).toEqual({ ids: ["row.previous"], pending: null })
  expect(idsFor("ü", null)).toEqual({ ids: [], pending: null })
})

test("moving keys need the focus, letters and Esc do not", () => {
  expect(["ArrowDown", "Enter", "Home", "ArrowLeft"].every(needsFocus)).toBe(true)
  expect(["j", "/", "?", "Escape"].some(needsFocus)).toBe(false)
})

test("Ctrl+Enter is one key, and other keys with Ctrl are the browser's", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false }
  expect(pressedKey({ ...plain, key: "n" })).toBe("n")
  expect(pressedKey({ ...plain, key: "Enter", ctrlKey: true })).toBe("Ctrl+Enter")
  expect(pressedKey({ ...plain, key: "Enter", metaKey: true })).toBe("Ctrl+Enter")
  expect(pressedKey({ ...plain, key: "n", ctrlKey: true })).toBeUndefined()
  expect(pressedKey({ ...plain, key: "Enter", altKey: true })).toBeUndefined()
  expect(needsFocus("Ctrl+Enter")).toBe(false)
})

test("labels", () => {
  expect(keyLabel("g t")).toBe("g then t")
  expect(keyLabel("ArrowDown")).toBe("↓")
  expect(withKey("Copy link", "copy.link")).toBe("Copy link (y)")
})

test("keys are shown only from the table", () => {
  for (const file of sources(".tsx")) {
    const text = readFileSync(file, "utf8")
    for (const [, inside] of text.matchAll(/<kbd[^>]*>([\s\S]*?)<\/kbd>/g)) {
      expect(inside, `${file}: <kbd> must hold keyLabel(…)`).toContain("keyLabel(")
    }
    expect(text, `${file}: a tooltip names its key with withKey(…)`).not.toMatch(/title="[^"]*\((?:.|Esc|Enter|g then .)\)"/)
  }
})

test("what the table has, something handles", () => {
  // Keys of views that are still to be written.
  const later = /^(?:trace|compare|item|plot|step)\./
  const code = sources(".ts", ".tsx").filter((file) => !file.endsWith("/keys.ts")).map((file) => readFileSync(file, "utf8")).join("\n")
  const idle = bindings.map(([id]) => id).filter((id) => !later.test(id) && !new RegExp(`(?:"${id}"|\\b${id}): `).test(code))
  expect(idle).toEqual([])
})

test("the navigation's keys go where they say", () => {
  for (const { entries } of NAVIGATION) for (const entry of entries) if (entry.key) expect(entry.key).toBe(`go.${entry.label.toLowerCase()}`)
})

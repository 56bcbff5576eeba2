import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"

const css = readFileSync(new URL("../../src/tokens.css", import.meta.url), "utf8")
const tokens = new Map<string, { light: string; dark: string }>()
for (const [, name, light, dark] of css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)) {
  tokens.set(name as string, { light: light as string, dark: dark as string })
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const TEXTS = ["ink", "mute", "accent", "good", "bad", "unsure", "series-1", "series-2"]
const GROUNDS = ["bg", "raised", "chosen", "note"]
const PAIRS: [string, string, number][] = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground): [string, string, number] => [text, ground, 4.5])),
  ["ink", "added", 4.5],
  ["ink", "removed", 4.5],
  ["on-accent", "accent", 4.5],
  // Edges of fields and the ring around what has the focus are not text.
  ["edge", "bg", 3],
  ["edge", "raised", 3],
  ["accent", "chosen", 3],
]

test("every colour has a light and a dark form", () => {
  const colours = css.match(/#[0-9a-f]{3,8}\b/gi) ?? []
  expect(colours.length).toBe(2 * tokens.size)
  expect(tokens.size).toBeGreaterThan(10)
})

describe.each(["light", "dark"] as const)("contrast in %s", (scheme) => {
  test.each(PAIRS)("%s on %s is at least %f", (text, ground, least) => {
    const colours = [tokens.get(text)?.[scheme], tokens.get(ground)?.[scheme]] as [string, string]
    expect(contrast(...colours)).toBeGreaterThanOrEqual(least)
  })
})

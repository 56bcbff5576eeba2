import { describe, expect, test } from "vitest"
import {
  bytesText, countText, countWords, deltaIntervalText, deltaText, durationText, exactText, intervalText, intervalWords,
  MISSING, moneyText, pText, scoreText, shareIntervalText, shareText, shortId, type Value,
} from "../../../src/words/format"
import { millis, momentText, timeAttributes, timeText } from "../../../src/words/time"

const ONE_ARGUMENT: Record<string, (value: Value) => string> = {
  scoreText, exactText, deltaText, shareText, pText, countText, durationText, moneyText, bytesText,
}
const EDGES = [
  0, -0, 1, -1, 0.0005, -0.0004, 0.9995, 1e-12, -1e-12, 5e-324, 1e6, 123_456_789.5, 1e15, 1e21, 1e300, -1e300,
  Number.MAX_VALUE, Number.MIN_VALUE, Number.EPSILON,
]
const NOTHING = [null, undefined, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

describe("whatever the number", () => {
  test.each(Object.entries(ONE_ARGUMENT))("%s never shows NaN, Infinity, a hyphen or a negative zero", (_, format) => {
    let seed = 7
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const some = Array.from({ length: 500 }, () => (random() - 0.5) * 10 ** Math.floor(random() * 30 - 15))
    for (const value of [...EDGES, ...some]) {
      const text = format(value)
      expect(text, String(value)).not.toMatch(/NaN|Infinity|undefined|null|-/)
      expect(text, String(value)).not.toMatch(/^−\$?0(\.0*)?[^.\d]*$/)
    }
  })

  test.each(Object.entries(ONE_ARGUMENT))("%s shows what is not a number as missing", (name, format) => {
    for (const value of NOTHING) expect(format(value)).toBe(name === "moneyText" ? "unknown" : MISSING)
  })
})

test("scores have three decimals, and no negative zero", () => {
  expect([0.745, 1, 0, -0, -0.0004, 0.0005, 1234.5].map((value) => scoreText(value))).toEqual([
    "0.745", "1.000", "0.000", "0.000", "0.000", "0.001", "1,234.500",
  ])
  expect(exactText(0.744680851064)).toBe("0.744680851064")
  expect(exactText(-0)).toBe("0")
})

test("intervals", () => {
  expect(intervalText([0.6331, 0.8309])).toBe("0.633–0.831")
  expect(intervalText([-0.1, 0.2])).toBe("−0.100 to 0.200")
  expect(intervalWords([0.6331, 0.8309])).toBe("0.633 to 0.831")
  expect(intervalText(null)).toBe(MISSING)
  expect(intervalText([Number.NaN, 1])).toBe(MISSING)
  expect(deltaIntervalText([-0.05, 0.314])).toBe("−0.050 to +0.314")
})

test("differences have a sign, and minus is U+2212", () => {
  expect([0.214, -0.05, 0, -0, 0.0001, -0.0001].map((value) => deltaText(value))).toEqual([
    "+0.214", "\u22120.050", "±0.000", "±0.000", "±0.000", "±0.000",
  ])
})

test("shares never make none of some, nor all of most", () => {
  const plain = (text: string) => text.replaceAll("\u00a0", " ")
  expect([0.03, 0, 1, 0.001, 0.999, 0.5].map((value) => plain(shareText(value, 200)))).toEqual([
    "3 %", "0 %", "100 %", "<1 %", ">99 %", "50 %",
  ])
  expect(
    [0.0312, 0.00001, 0.99999].map((value) => plain(shareText(value, 5000)))
  ).toEqual(["3.1 %", "<0.1 %", ">99.9 %"])
  expect(plain(shareIntervalText([0.26, 0.66], 20))).toBe("26–66 %")
})

test("p-values", () => {
  expect([0.0001, 0.001, 0.0312, 1, 0].map(pText)).toEqual(["< 0.001", "0.001", "0.031", "1.000", "< 0.001"])
})

test("counts", () => {
  expect(countText(1234, "tok")).toBe("1,234\u00a0tok")
  expect(countText(0)).toBe("0")
  expect(countWords(1, "item")).toBe("1 item")
  expect(countWords(1200, "item")).toBe("1,200 items")
})

test("durations", () => {
  const cases: [number, string][] = [
    [0, "0ms"], [0.001, "<0.01ms"], [0.34, "0.34ms"], [340, "340ms"], [999.4, "999ms"], [999.6, "1.0s"], [1234, "1.2s"],
    [59_949, "59.9s"], [59_960, "1m 00s"], [125_000, "2m 05s"], [3_599_600, "1h 00m"], [11_520_000, "3h 12m"],
    [172_800_000, "2d 00h"], [183_600_000, "2d 03h"], [-1500, "−1.5s"],
  ]
  for (const [ms, text] of cases) expect(durationText(ms), String(ms)).toBe(text)
})

test("money", () => {
  const cases: [number, string][] = [
    [0, "$0.00"], [0.0042, "$0.0042"], [0.00421, "$0.0042"], [0.00996, "$0.01"], [0.01, "$0.01"], [0.5, "$0.50"],
    [1234.5, "$1,234.50"],
    [0.000099, "$0.000099"], [0.0000999, "$0.00010"], [1e-9, "<$0.000001"], [-0.5, "−$0.50"],
  ]
  for (const [usd, text] of cases) expect(moneyText(usd), String(usd)).toBe(text)
})

test("bytes", () => {
  const plain = (value: number) => bytesText(value).replaceAll("\u00a0", " ")
  expect([0, 999, 1000, 1500, 12_345, 999_600, 1_500_000, 9.96e6, 1e18].map(plain)).toEqual([
    "0 B", "999 B", "1.0 KB", "1.5 KB", "12 KB", "1.0 MB", "1.5 MB", "10 MB", "1,000 PB",
  ])
})

test("ids keep their tail", () => {
  expect(shortId("01991b1c-7e3a-7c44-9d5b-0242ac120002")).toBe("ac120002")
  expect(shortId("short")).toBe("short")
  expect(shortId(null)).toBe(MISSING)
})

describe("time", () => {
  const now = Date.UTC(2026, 10, 15, 6, 42, 7)
  test("is relative within seven days", () => {
    const ago = (ms: number) => timeText(now - ms, now)
    expect([0, 4000, 12_000, 60_000, 3_599_000, 3 * 3_600_000, 86_400_000 * 6.9].map(ago)).toEqual([
      "just now", "just now", "12 s ago", "1 min ago", "59 min ago", "3 h ago", "6 d ago",
    ])
    expect(timeText(now + 300_000, now)).toBe("in 5 min")
  })
  test("is the moment in UTC beyond", () => {
    expect(timeText("2026-11-01T06:42:07Z", now)).toBe("1 Nov 2026 06:42 UTC")
    expect(timeText("2026-11-01T06:42:07Z", now, true)).toBe("1 Nov 2026")
    expect(timeText(now - 7_200_000, now, true)).toBe("2 h ago")
    expect(momentText("2026-11-15T06:42:07.123Z", true)).toBe("15 Nov 2026 06:42:07 UTC")
    expect(timeAttributes("2026-11-15T06:42:07Z")).toEqual(
      { dateTime: "2026-11-15T06:42:07.000Z", title: "15 Nov 2026 06:42:07 UTC" }
    )
  })
  test("is missing where it is not a moment", () => {
    for (const bad of [null, undefined, "", "yesterday", Number.NaN, 1e20]) {
      expect(timeText(bad, now)).toBe(MISSING)
      expect(millis(bad)).toBeNull()
      expect(timeAttributes(bad)).toBeNull()
    }
  })
})

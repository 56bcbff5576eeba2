import { describe, expect, test } from "vitest"
import { timeTicks } from "../../../src/plots/calendar"
import { dodge } from "../../../src/plots/dodge"
import { deltaBars, itemsIn, pileRadius, pileSide, piles, regionOf, spanned } from "../../../src/plots/points"
import { rowLayout } from "../../../src/plots/rows"
import {
  axisWords, extent, linear, log10, reachOf, scoreDomain, scoreScale, sparse, symmetric, timeScale,
} from "../../../src/plots/scale"
import { bandPath, glyph, hatch, intervalShape, linePath } from "../../../src/plots/shapes"
import { ownParts, share, spanGeometry } from "../../../src/plots/spans"
import { rates, stepPath, wilson } from "../../../src/plots/buckets"
import { legend, strip } from "../../../src/plots/strip"
import { binned, DOT, hash, missingBlock, rug, swarm, swarmHeight } from "../../../src/plots/swarm"
import { costScale, labelPlaces } from "../../../src/plots/CostScatter"
import { groupLetter, runsOf } from "../../../src/plots/RankedForest"
import { shortened, textWidth, wrapped } from "../../../src/plots/text"
import { sumProblem, waterfallBars, waterfallSentence } from "../../../src/plots/sums"
import { nextPlace } from "../../../src/plots/Marks"
import { tipPlace } from "../../../src/plots/Tip"
import { random } from "./random"

const numbersOf = (path: string) => (path.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)

describe("groups of a ranking", () => {
  test("are drawn as runs of neighbours", () => {
    expect(runsOf([4, 0, 1, 5, 6, 9])).toEqual([[0, 1], [4, 6], [9, 9]])
    expect(runsOf([3])).toEqual([[3, 3]])
    expect(runsOf([])).toEqual([])
  })
  test("are named by letters, and by numbers where letters do not suffice", () => {
    expect([groupLetter(0, 26), groupLetter(25, 26), groupLetter(0, 27), groupLetter(26, 27)]).toEqual(["a", "z", "1", "27"])
  })
})

describe("scales", () => {
  test("map the domain's ends to the range's ends, and back", () => {
    for (const range of [[10, 110], [90, 5]] as const) {
      const scale = linear([0, 1], range)
      expect([scale.at(0), scale.at(1)]).toEqual([range[0], range[1]])
      for (const value of [0, 0.25, 0.9, 1]) expect(scale.invert(scale.at(value))).toBeCloseTo(value, 9)
      expect(scale.inside(7)).toBe(range[1])
      expect(scale.inside(Number.NaN)).toBe(range[0])
      expect(scale.ticks.every((tick) => tick.at >= Math.min(...range) && tick.at <= Math.max(...range))).toBe(true)
    }
  })
  test("of one point are widened", () => {
    expect(Number.isFinite(linear([0.5, 0.5], [0, 10]).at(0.5))).toBe(true)
    expect(Number.isFinite(timeScale([5, 5], [0, 10]).at(5))).toBe(true)
    expect(Number.isFinite(log10([3, 3], [0, 10]).at(3))).toBe(true)
  })
  test("of scores are 0 to 1, zoomed in steps of 0.05", () => {
    expect(scoreDomain([0.61, 0.78, null])).toEqual([0, 1])
    expect(scoreDomain([0.61, 0.78], true)).toEqual([0.6, 0.8])
    expect(scoreDomain([0.6, 0.8], true)).toEqual([0.6, 0.8])
    expect(scoreDomain([1], true)).toEqual([0.95, 1])
    expect(scoreDomain([0], true)).toEqual([0, 0.05])
    expect(scoreDomain([], true)).toEqual([0, 1])
    expect(scoreDomain([1.4])).toEqual([0, 1.4])
    expect(axisWords([0.6, 0.8])).toBe("axis 0.60–0.80")
    expect(axisWords([0, 1])).toBeNull()
    const next = random(3)
    for (let round = 0; round < 200; round += 1) {
      const values = [next(), next()]
      const [low, high] = scoreDomain(values, true)
      expect(
        low < high && low >= 0 && high <= 1 && low <= Math.min(...values) && high >= Math.max(...values)
      ).toBe(true)
    }
  })
  test("of differences are symmetric and at least ±0.1", () => {
    expect(symmetric([], [0, 100]).domain).toEqual([-0.1, 0.1])
    expect(symmetric([0.02, null], [0, 100]).domain).toEqual([-0.1, 0.1])
    expect(symmetric([-0.31, 0.2], [0, 100]).domain).toEqual([-0.35, 0.35])
    expect(symmetric([-0.31], [0, 100]).at(0)).toBe(50)
    expect(reachOf([0.7])).toBe(0.7)
    expect(reachOf([23])).toBe(30)
    expect(symmetric([0.3], [0, 100]).ticks.map((tick) => tick.text)).toContain("−0.1")
  })
  test("of decades are logarithmic", () => {
    const scale = log10([1, 1000], [0, 300])
    expect([1, 10, 100, 1000].map((value) => Math.round(scale.at(value)))).toEqual([0, 100, 200, 300])
    expect(scale.ticks.map((tick) => tick.value)).toEqual([1, 10, 100, 1000])
    expect(log10([2, 8], [0, 1]).ticks.map((tick) => tick.value)).toEqual([2, 5])
  })
  test("extent leaves out what is not a number; ticks keep a distance", () => {
    expect(extent([null, 3, Number.NaN, -1])).toEqual([-1, 3])
    expect(extent([])).toBeNull()
    const kept = sparse(linear([0, 1], [0, 100], 20).ticks, 30)
    expect(kept.every((tick, place) => !place || tick.at - (kept[place - 1]?.at ?? 0) >= 30)).toBe(true)
  })
})

describe("calendar", () => {
  const texts = (from: string, to: string, count = 4) => timeTicks(
    [Date.parse(from), Date.parse(to)], count,
  ).map((tick) => tick.text)
  test("ticks stand at full units", () => {
    expect(texts("2026-11-15T06:00:10Z", "2026-11-15T06:00:55Z")).toEqual(["06:00:15", "06:00:30", "06:00:45"])
    expect(texts("2026-11-15T06:10Z", "2026-11-15T08:10Z")).toEqual(["06:30", "07:00", "07:30", "08:00"])
    expect(texts("2026-11-14T20:00Z", "2026-11-15T18:00Z")).toEqual(["15 Nov", "06:00", "12:00", "18:00"])
    expect(texts("2026-11-01T06:00Z", "2026-11-26T00:00Z")).toEqual(["2 Nov", "9 Nov", "16 Nov", "23 Nov"])
    expect(texts("2026-03-10T00:00Z", "2026-06-20T00:00Z")).toEqual(["Apr 2026", "May 2026", "Jun 2026"])
    expect(texts("2019-03-10T00:00Z", "2026-06-20T00:00Z")).toEqual(["2020", "2022", "2024", "2026"])
  })
  test("never many more than asked for, and all inside", () => {
    const next = random(9)
    for (let round = 0; round < 300; round += 1) {
      const low = Date.UTC(2000 + Math.floor(next() * 40), Math.floor(next() * 12), 3)
      const high = low + 10 ** (next() * 11 + 1)
      const ticks = timeTicks([low, high], 4)
      expect(ticks.length).toBeLessThanOrEqual(5)
      expect(ticks.every((tick) => tick.value >= low && tick.value <= high)).toBe(true)
    }
  })
})

describe("interval", () => {
  const scale = linear([0, 1], [6, 134])
  test("whiskers end where the scale says", () => {
    const next = random(1)
    for (let round = 0; round < 200; round += 1) {
      const [low = 0, mean = 0, high = 0] = [next(), next(), next()].sort((a, b) => a - b)
      const shape = intervalShape(scale, { mean, interval: [low, high], inner: [low, mean], bracket: [0, high] })
      expect(shape.line).toEqual([scale.at(low), scale.at(high)])
      expect(shape.dot).toBe(scale.at(mean))
      expect(shape.inner).toEqual([scale.at(low), scale.at(mean)])
      expect(
        [shape.dot, ...(shape.line ?? []), ...(shape.bracket ?? [])].every((at) => at !== null && at >= 6 && at <= 134)
      ).toBe(true)
    }
  })
  test("ends that are bounds are open, ends beyond the axis are cut", () => {
    expect(intervalShape(scale, { mean: 0.9, interval: [0.8, 1] }).ends).toEqual(["cap", "open"])
    expect(intervalShape(scale, { mean: 0, interval: [0, 0.1] }).ends).toEqual(["open", "cap"])
    expect(
      intervalShape(linear([0.6, 0.8], [0, 10]), { mean: 0.7, interval: [0.5, 0.9] })
    ).toMatchObject({ ends: ["cut", "cut"], line: [0, 10] })
    expect(
      intervalShape(linear([-0.2, 0.2], [0, 10]), { mean: 0, interval: [-0.1, 0.1] }, null).ends
    ).toEqual(["cap", "cap"])
  })
  test("what is missing is not drawn", () => {
    expect(intervalShape(scale, { mean: null })).toEqual(
      { dot: null, line: null, ends: ["cap", "cap"], inner: null, bracket: null }
    )
    expect(
      intervalShape(scale, { mean: Number.NaN, interval: [Number.NaN, 1] })
    ).toMatchObject({ dot: null, line: null })
    expect(intervalShape(linear([0.6, 0.8], [0, 10]), { mean: 0.2 }).dot).toBeNull()
  })
  test("a hatch stays in its box", () => {
    const path = hatch(10, 4, 60, 20)
    const found = numbersOf(path)
    expect(found.length).toBeGreaterThan(20)
    found.forEach(
      (value, place) => expect(place % 2 ? value >= 4 && value <= 20 : value >= 10 && value <= 60).toBe(true)
    )
    expect(hatch(5, 5, 5, 10)).toBe("")
    expect(hatch(60, 20, 10, 4)).toBe(path)
  })
  test("lines have gaps where values miss, and no path holds NaN", () => {
    expect(linePath([[0, 1], null, [2, 3], [4, 5]])).toBe("M0 1M2 3L4 5")
    expect(bandPath([{ x: 0, low: 5, high: 1 }, { x: 9, low: 6, high: 2 }])).toBe("M0 1L9 2L9 6L0 5Z")
    expect(bandPath([])).toBe("")
    for (const kind of ["up", "down", "diamond"] as const) expect(glyph(kind, Number.NaN, 1, 4)).not.toContain("NaN")
  })
})

describe("dots and bins", () => {
  const scale = scoreScale([], [40, 440])
  const next = random(5)
  const scores = Array.from(
    { length: 300 }, (_, place) => ({ id: `run-${place}`, value: Math.round(next() * 40) / 40 }),
  )
  test("no dot covers another, each lies at its value and inside", () => {
    const dots = swarm(scores, scale, 140, 20)
    expect(dots).toHaveLength(300)
    const places = dots ?? []
    for (const [place, dot] of places.entries()) {
      expect(dot.x).toBeCloseTo(scale.at(scores.find((score) => score.id === dot.id)?.value ?? -1), 1)
      expect(dot.y >= 20 && dot.y <= 140).toBe(true)
      for (const other of places.slice(place + 1)) expect(
        Math.hypot(dot.x - other.x, dot.y - other.y)
      ).toBeGreaterThanOrEqual(DOT - 0.01)
    }
    expect(swarmHeight(places, 140)).toBeGreaterThanOrEqual(DOT)
  })
  test("the same scores in another order lie at the same places", () => {
    const byId = (dots: ReturnType<typeof swarm>) => [...(dots ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId(swarm([...scores].reverse(), scale, 140, 20))).toEqual(byId(swarm(scores, scale, 140, 20)))
    expect(hash("run-1")).not.toBe(hash("run-2"))
  })
  test("too many, or too high a pile, are bins", () => {
    expect(
      swarm(Array.from({ length: 401 }, (_, place) => ({ id: String(place), value: place / 400 })), scale, 140, 20)
    ).toBeNull()
    expect(
      swarm(Array.from({ length: 100 }, (_, place) => ({ id: String(place), value: 1 })), scale, 140, 20)
    ).toBeNull()
    expect(swarm([], scale, 140, 20)).toEqual([])
  })
  test("bins hold every score once, and their ranges find them again", () => {
    const values = [...scores.map((score) => score.value), 0, 1]
    const bins = binned(values, [0, 1])
    expect(bins).toHaveLength(20)
    expect(bins.reduce((sum, one) => sum + one.count, 0)).toBe(values.length)
    for (const one of bins.filter((found) => found.count)) {
      expect(values.filter((value) => value >= one.range[0] && value <= one.range[1])).toHaveLength(one.count)
    }
    expect(binned([], [0, 1]).every((one) => one.count === 0)).toBe(true)
    expect(binned([0.7], [0.6, 0.8]).find((one) => one.count)?.low).toBeCloseTo(0.7)
  })
  test("a rug has one line per pixel", () => {
    expect(rug([0, 0.0001, 1], scale, 10, 4)).toBe("M40 10v4M440 10v4")
  })
  test("reasons are stacked in order and stay in the picture", () => {
    const block = missingBlock([["a", 90], ["b", 10]], 5, 140, 20)
    expect(block.map((one) => one.reason)).toEqual(["a", "b"])
    expect(block[0]?.top).toBeCloseTo(20)
    expect(block[0]?.bottom).toBe(block[1]?.top)
    expect(block[1]?.bottom).toBe(140)
    expect(missingBlock([], 5, 140, 20)).toEqual([])
  })
})

describe("texts and rows", () => {
  test("lines are no wider than their room, and nothing is lost", () => {
    for (const text of ["contains", "answer_relevancy.faithfulness_with_a_long_name", "a b c d e f", "x".repeat(200), "評価".repeat(20), ""]) {
      const lines = wrapped(text, 120)
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""))
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(120)
    }
  })
  test("a line does not end within a number", () => {
    expect(wrapped("0.745  0.621–0.838", 100)).toEqual(["0.745", "0.621–0.838"])
  })
  test("rows follow each other, and the axis keeps its room", () => {
    const layout = rowLayout(
      [{ label: "a", right: "words" }, { label: "long ".repeat(40), right: "long ".repeat(60) }], 640,
    )
    expect(layout.rows[1]?.top).toBe((layout.rows[0]?.top ?? 0) + (layout.rows[0]?.height ?? 0))
    expect(layout.plot[1] - layout.plot[0]).toBeGreaterThan(640 / 5)
    expect(layout.height).toBeGreaterThan(layout.axisAt)
    expect(rowLayout([], 300).rows).toEqual([])
  })
  test("labels at line ends move apart", () => {
    expect(dodge([10, 12, 11], 14, 0, 100)).toEqual([10, 38, 24])
    expect(dodge([95, 99], 14, 0, 100)).toEqual([86, 100])
    expect(dodge([], 14, 0, 100)).toEqual([])
  })
})

describe("spans", () => {
  test("own time is what no child covers", () => {
    expect(ownParts(0, 100, [[10, 30], [20, 50], [90, 200]])).toEqual([[0, 10], [50, 90]])
    expect(ownParts(0, 100, [])).toEqual([[0, 100]])
    expect(ownParts(0, 100, [[-5, 120]])).toEqual([])
  })
  test("every bar is seen and lies in its row", () => {
    const next = random(2)
    for (let round = 0; round < 300; round += 1) {
      const total = next() * 10_000
      const start = next() * total
      const shape = spanGeometry(
        {
          start, duration: round % 7 ? next() * (total - start) : null, total, children: [[start, start + 1]],
          width: 300, log: round % 2 === 0, scores: round % 9,
        }
      )
      expect(shape.bar[0]).toBeGreaterThanOrEqual(0)
      expect(shape.bar[1] - shape.bar[0]).toBeGreaterThanOrEqual(2 - 0.011)
      for (
        const at of [shape.bar[1], shape.cross, ...shape.dots, ...shape.own.flat()]
      ) expect(at >= 0 && at <= 300).toBe(true)
    }
    expect(
      spanGeometry(
        { start: Number.NaN, duration: Number.NaN, total: 0, children: [], width: 100, log: true, scores: 0 }
      ).bar
    ).toEqual([0, 2])
    expect([share(0, 100, true), share(100, 100, true), share(50, 100, false)]).toEqual([0, 1, 0.5])
  })
})

describe("counts over time", () => {
  test("Wilson's interval is the known one", () => {
    const [low, high] = wilson(9, 20) ?? [0, 0]
    expect([low.toFixed(4), high.toFixed(4)]).toEqual(["0.2582", "0.6579"])
    expect(wilson(0, 10)?.[0]).toBe(0)
    expect(wilson(10, 10)?.[1]).toBe(1)
    expect(wilson(0, 0)).toBeNull()
  })
  test("a bucket without cases is a gap, not a rate of 0", () => {
    const bucket = (from: number, count: number) => ({ from, to: from + 1, count, errors: 0 })
    expect(rates([bucket(0, 5), bucket(1, 0), bucket(2, 5), bucket(3, 5)]).map((one) => one.length)).toEqual([1, 2])
    expect(rates([{ from: 0, to: 1, count: 5 }])).toEqual([])
    expect(stepPath([bucket(0, 5)], linear([0, 1], [0, 10]), linear([0, 10], [20, 0]))).toBe("M0 20L0 10H10V20Z")
    expect(stepPath([], linear([0, 1], [0, 10]), linear([0, 10], [20, 0]))).toBe("")
  })
})

describe("pairs", () => {
  const items = [
    { id: "a", base: 0.2, candidate: 0.6 }, { id: "b", base: 0.2, candidate: 0.6 }, { id: "c", base: 1, candidate: 0 },
    { id: "d", base: 0.5, candidate: 0.5 },
  ]
  test("items on one place are one pile, and its area grows with the count", () => {
    const found = piles([...items, { id: "bad", base: Number.NaN, candidate: 1 }])
    expect(found.map((pile) => pile.items.map((item) => item.id))).toEqual([["a", "b"], ["d"], ["c"]])
    expect(found.map(pileSide)).toEqual(["up", "diamond", "down"])
    expect(pileRadius(4) ** 2).toBeCloseTo(4 * pileRadius(1) ** 2)
    expect(pileRadius(1e6)).toBe(16)
  })
  test("a brush picks what lies inside, from any corner", () => {
    const [x, y] = [linear([0, 1], [0, 100]), linear([0, 1], [100, 0])]
    for (const [from, to] of [[[10, 70], [60, 30]], [[60, 30], [10, 70]]] as const) {
      expect(itemsIn(regionOf(x, y, from, to), items)).toEqual(["a", "b", "d"])
    }
    const [first, , last] = piles(items)
    expect(first && last && itemsIn(spanned(first, last), items)).toEqual(["a", "b", "c", "d"])
  })
  test("bars are sorted, and hold every item once", () => {
    const many = Array.from({ length: 1000 }, (_, place) => ({ id: String(place), delta: Math.sin(place) }))
    const bars = deltaBars(many, 150)
    expect(bars.length).toBeLessThanOrEqual(150)
    expect(bars.flatMap((bar) => bar.items)).toHaveLength(1000)
    expect(bars.every((bar, place) => !place || bar.delta >= (bars[place - 1]?.delta ?? 0))).toBe(true)
    expect(deltaBars([{ id: "x", delta: Number.NaN }], 10)).toEqual([])
  })
})

describe("a value as a sum", () => {
  const signal = (name: string, contribution: number, effectiveWeight: number, present = true) => ({
    name, contribution, effectiveWeight, present,
  })
  const signals = [signal("a", 0.2, 0.3), signal("b", 0, 0, false), signal("c", 0.5, 0.5)]
  test("each bar starts where the last one ended, and the last ends at the value", () => {
    const bars = waterfallBars(signals)
    expect(bars.map((bar) => bar.from)).toEqual([0, 0.2, 0.2])
    expect(bars.at(-1)?.to).toBe(0.7)
    expect(bars.every((bar) => bar.possible >= bar.to)).toBe(true)
    expect(sumProblem(signals, 0.7)).toBeNull()
    expect(sumProblem(signals, 0.7 + 1e-12)).toBeNull()
    expect(sumProblem([], null)).toBeNull()
  })
  test("what does not add up is said", () => {
    expect(sumProblem(signals, 0.8)).toContain("0.700000, not to 0.800000")
    expect(waterfallSentence(signals, 0.7)).toBe(
      "a gives 0.200 of 0.300; c gives 0.500 of 0.500; absent: b; total 0.700",
    )
  })
  test("of many absent signals the first are named, and where all are absent none", () => {
    const absent = ["v", "w", "x", "y", "z"].map((name) => signal(name, 0, 0, false))
    expect(waterfallSentence([signal("a", 1, 1), ...absent], 1)).toBe("a gives 1.000 of 1.000; absent: v, w, x and 2 more; total 1.000")
    expect(waterfallSentence(absent, null)).toBe("no signal has evidence; not scored")
  })
})

test("a strip fills its width, and one run of many is seen", () => {
  const counts = { scored: 99_998, absent: 1, failed: 1, pending: 0 }
  const found = strip(counts, 200)
  expect(found.map((one) => one.state)).toEqual(["scored", "absent", "failed"])
  expect(found.at(-1)?.to).toBe(200)
  expect(found.every((one) => one.to - one.from > 2)).toBe(true)
  expect(strip({ scored: 0, absent: 0, failed: 0, pending: 0 }, 200)).toEqual([])
  expect(legend(counts, 150).height).toBeGreaterThan(legend(counts, 1000).height)
})

test("keys move among marks and stop at the ends", () => {
  expect(["ArrowRight", "ArrowLeft", "Home", "End", "x"].map((key) => nextPlace(key, 1, 3))).toEqual([2, 0, 0, 2, null])
  expect([nextPlace("ArrowRight", 2, 3), nextPlace("ArrowLeft", 0, 3)]).toEqual([2, 0])
})

test("a tooltip lies wholly in the window", () => {
  const tip = { left: 0, top: 0, width: 200, height: 100 }
  for (const [left, top] of [[0, 0], [790, 0], [0, 590], [790, 590], [400, 300]] as const) {
    const place = tipPlace({ left, top, width: 10, height: 10 }, tip, 800, 600)
    expect(place.left >= 0 && place.left + 200 <= 800 && place.top >= 0 && place.top + 100 <= 600).toBe(true)
  }
})

test("a long name keeps its end, since that tells it from others", () => {
  const names = ["a-very-long-name-of-an-agent-with-seed-1", "a-very-long-name-of-an-agent-with-seed-2"]
  const short = names.map((name) => shortened(name, 120))
  expect(new Set(short).size).toBe(2)
  for (const [at, name] of short.entries()) {
    expect(textWidth(name)).toBeLessThanOrEqual(120)
    expect(name).toMatch(new RegExp(`^a-very.*….*seed-${at + 1}$`))
  }
  expect(shortened("short", 120)).toBe("short")
  expect(shortened("😀".repeat(40), 60)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
})

test("names in a scatter never lie on each other nor below its foot; those without room are left out", () => {
  const label = (x: number, y: number) => ({ name: "an-agent-with-a-name", x, y })
  expect(labelPlaces([label(0, 100), label(500, 100)], 300)).toEqual([94, 94])
  expect(labelPlaces([label(0, 100), label(10, 100)], 300)).toEqual([94, 108])
  expect(labelPlaces(Array.from({ length: 6 }, () => label(0, 100)), 300)).toEqual([94, 108, 122, 136, null, null])
  expect(labelPlaces([label(0, 299), label(0, 299)], 300)).toEqual([293, null])
})

test.each([0.02, 0.021, 0.0012, 3, 1e-6])("ticks of costs up to %d are told apart", (most) => {
  const texts = costScale(most, [0, 400]).ticks.map((tick) => tick.text)
  expect(texts.length).toBeGreaterThan(2)
  expect(new Set(texts).size).toBe(texts.length)
})

test("a file's name is not broken before its ending, a longer name after its dot is", () => {
  expect(wrapped("correction pressure · AGENTS.md@c1907fe3a826", 200)).toEqual(["correction pressure ·", "AGENTS.md@c1907fe3a826"])
  expect(wrapped("returns_desk.blanket_after", 110)).toEqual(["returns_desk.", "blanket_after"])
  expect(wrapped("a. b. c.", 1000)).toEqual(["a. b. c."])
})

import type { ReactElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, test } from "vitest"
import { Curves } from "../../../src/plots/Curves"
import { DeltaStrip } from "../../../src/plots/DeltaStrip"
import { Distribution } from "../../../src/plots/Distribution"
import { Dumbbells } from "../../../src/plots/Dumbbells"
import { Forest } from "../../../src/plots/Forest"
import { GateStrip, passingSide } from "../../../src/plots/GateStrip"
import { Interval, shortReason } from "../../../src/plots/Interval"
import { LabelShares } from "../../../src/plots/LabelShares"
import { MissingStrip } from "../../../src/plots/MissingStrip"
import { PairedDelta } from "../../../src/plots/PairedDelta"
import { Scatter } from "../../../src/plots/Scatter"
import { linear } from "../../../src/plots/scale"
import { SpanBar } from "../../../src/plots/SpanBar"
import { Steps } from "../../../src/plots/Steps"
import { Waterfall } from "../../../src/plots/Waterfall"
import { ValuesOverTime } from "../../../src/plots/ValuesOverTime"
import { datasetLines, Trend } from "../../../src/plots/Trend"

const NAN = Number.NaN
const REASONS = { "no expected_output": 9, "<img src=x onerror=alert(1)>": 3 }

const OPEN = () => ({ href: "/x", onOpen: () => undefined })
const VALUE = {
  id: "1", iteration: 1, value: 0.7, band: "good", coverage: 0.5, provisional: false, session_id: "s", date: "2026-06-01", commit: "29d3a29",
  observed: ["landed"],
}
const SESSION = {
  session_id: "s", value: 0.7, confidence_interval_95: [0.2, 0.9] as const, ci_reason: null, n_scored: 1, n_provisional: 0, iterations: [1],
}

/** Each plot with ordinary data, with nothing, and with what no server should send. */
const FIGURES: Record<string, ReactElement[]> = {
  Forest: [
    <Forest
      rows={
        [
          { id: "a", name: "contains", mean: 0.7, interval: [0.6, 0.8] },
          { id: "b", name: "x", mean: null, reasons: REASONS },
        ]
      }
      zoom threshold={0.5}
    />,
    <Forest rows={[]} />,
    <Forest rows={[{ id: "a", name: "contains", mean: NAN, interval: [NAN, 1] }]} zoom />,
  ],
  GateStrip: [
    <GateStrip
      name="contains" decision="pass" value={0.8} interval={[0.7, 0.9]} threshold={0.6} gap={0.2} n={3} minN={1}
      bound="ci"
    />,
    <GateStrip name="contains" decision={null} value={null} threshold={0.6} />,
    <GateStrip name="contains" decision="undecided" value={NAN} interval={[NAN, NAN]} threshold={2} zoom />,
  ],
  PairedDelta: [
    <PairedDelta
      minEffect={0.05}
      rows={[{ id: "a", name: "contains", verdict: "improved", delta: 0.2, interval: [0.1, 0.3], p: 0.01, pairs: 3 }]}
    />,
    <PairedDelta rows={[]} />,
    <PairedDelta rows={[{ id: "a", name: "contains", verdict: "inconclusive", delta: null, interval: null }]} />,
  ],
  Dumbbells: [
    <Dumbbells rows={[{ id: "1", name: "impl: tests", claimed: 1, observed: 0.5, detail: "<b>seen</b>" }, { id: "2", name: "x", claimed: null, observed: null }]} />,
    <Dumbbells rows={[]} />,
    <Dumbbells rows={[{ id: "1", name: "x", claimed: NAN, observed: 2 }]} />,
  ],
  ValuesOverTime: [
    <ValuesOverTime points={[VALUE, { ...VALUE, id: "2", value: null, band: "unscored", provisional: true }]} sessions={[SESSION]} openPoint={OPEN} openSession={OPEN} />,
    <ValuesOverTime points={[]} sessions={[]} openPoint={OPEN} openSession={OPEN} />,
    <ValuesOverTime points={[{ ...VALUE, value: NAN, coverage: NAN, band: "<b>" }]} sessions={[{ ...SESSION, value: null }]} openPoint={OPEN} openSession={OPEN} />,
  ],
  Trend: [
    <Trend
      name="contains"
      points={
        [
          { id: "1", label: "e", time: 0, mean: 0.5, interval: [0.4, 0.6], dataset: "d" },
          { id: "2", label: "f", time: 9e8, mean: null, dataset: "d" },
        ]
      }
      band={[0.4, 0.5]} zoom
    />,
    <Trend name="contains" points={[]} />,
  ],
  Steps: [
    <Steps
      noun="trace" buckets={[{ from: 0, to: 1000, count: 5, errors: 1 }, { from: 1000, to: 2000, count: 0, errors: 0 }]}
    />,
    <Steps noun="trace" buckets={[]} />,
  ],
  Distribution: [
    <Distribution
      name="contains" scores={[{ id: "a", value: 0.5 }]} estimate={{ mean: 0.5, interval: [0.1, 0.9] }}
      reasons={REASONS} threshold={0.7}
    />,
    <Distribution
      name="contains" scores={Array.from({ length: 500 }, (_, place) => ({ id: String(place), value: place / 499 }))}
      zoom
    />,
    <Distribution name="contains" width={60} scores={Array.from({ length: 600 }, (_, place) => ({ id: String(place), value: place / 600 }))} reasons={REASONS} />,
    <Distribution name="contains" scores={[]} reasons={REASONS} />,
    <Distribution name="contains" scores={[]} />,
  ],
  LabelShares: [
    <LabelShares name="kind" total={3} labels={[{ label: "a", count: 1, share: 1 / 3, interval: [0.1, 0.7] }]} />,
    <LabelShares name="kind" total={0} labels={[]} />,
  ],
  Curves: [
    <Curves
      curves={[{ name: "pass@k", points: [{ k: 1, value: 0.5, interval: [0.4, 0.6] }, { k: 2, value: 0.6 }] }]}
    />,
    <Curves curves={[]} />, <Curves zoom curves={[{ name: "pass@k", points: [] }]} />,
  ],
  Scatter: [
    <Scatter items={[{ id: "a", base: 0, candidate: 1 }, { id: "b", base: NAN, candidate: 1 }]} onBrush={() => {}} />,
    <Scatter items={[]} zoom />,
  ],
  DeltaStrip: [
    <DeltaStrip items={[{ id: "a", delta: 0.5, base: 0, candidate: 0.5 }, { id: "b", delta: 0 }]} />,
    <DeltaStrip items={[]} />,
  ],
  Waterfall: [
    <Waterfall
      signals={[{ name: "landed", present: true, contribution: 0.3, effectiveWeight: 0.5, subScore: 0.6 }]} value={0.3}
    />,
    <Waterfall signals={[]} value={null} />,
  ],
  MissingStrip: [
    <MissingStrip scored={1} absent={2} failed={3} pending={4} />,
    <MissingStrip scored={0} absent={0} failed={0} pending={0} />,
  ],
}

describe.each(Object.entries(FIGURES))("%s", (_, elements) => {
  test.each(elements.map((element, place) => [place, element] as const))("case %i: caption, named picture, table, no NaN", (_place, element) => {
    const html = renderToStaticMarkup(element)
    const id = /<figcaption id="([^"]+)">/.exec(html)?.[1]
    expect(html).toMatch(/<figcaption[^>]*>.*?\w.*?<\/figcaption>/)
    expect(html).toContain(`role="img" aria-labelledby="${id}"`)
    expect(html).toMatch(/<details.*<summary>Data as a table<\/summary><table>.*<th scope="col">/)
    expect(html).not.toMatch(/NaN|Infinity|undefined|\[object|null/)
    expect(html, "a width or height below 0 is drawn by no browser").not.toMatch(/ (width|height)="-/)
    expect(html).not.toContain("<img")
    const stops = html.match(/tabindex="0"/g) ?? []
    expect(stops.length, "one tab stop for all marks").toBeLessThanOrEqual(1)
    expect(html.match(/role="img"[^>]*>(.*?)<\/svg>/s)?.[1]).not.toMatch(/<(a|button)\b|tabindex/)
  })
})

describe("Interval", () => {
  test("is a named picture, or the link's name says it", () => {
    expect(renderToStaticMarkup(<Interval name="contains" mean={0.745} interval={[0.633, 0.831]} scored={188} total={200} />)).toContain(
      'role="img" aria-label="contains: mean 0.745, 95 % interval 0.633 to 0.831, 188 of 200 runs scored"',
    )
    const link = renderToStaticMarkup(
      <Interval name="contains" mean={0.745} interval={[0.633, 0.831]} href="/runs" showNumber />
    )
    expect(link).toMatch(/<a [^>]*href="\/runs"[^>]*aria-label="contains: mean 0.745/)
    expect(link).toContain('aria-hidden="true"')
  })
  test("says in words why there is no score", () => {
    const html = renderToStaticMarkup(
      <Interval name="contains" mean={null} reasons={{ "no expected_output": 9, "the run failed": 3 }} />
    )
    expect(html).toContain("no score · 9 no expected_output · 3 the run failed")
    expect(html).not.toContain("<svg")
    expect(shortReason({ a: 2, b: 1 })).toBe("no score · 2 a + 1 more")
    expect(shortReason({}, 3)).toBe("no score · 3 pending")
  })
  test("has a hollow dot for few items", () => {
    const dot = (small: boolean) => /<circle class="([^"]*)"/.exec(renderToStaticMarkup(<Interval name="x" mean={0.5} small={small} />))?.[1]
    expect(dot(true)).not.toBe(dot(false))
  })
})

test("a gate's passing side depends on the comparison", () => {
  const scale = linear([0, 1], [0, 100])
  expect(passingSide(scale, 0.7, "gte")).toEqual([70, 100])
  expect(passingSide(scale, 0.7, "lt")).toEqual([0, 70])
})

test("only points of one dataset are joined", () => {
  const point = (
    id: string, time: number, mean: number | null, dataset: string,
  ) => ({ id, label: id, time, mean, dataset })
  const lines = datasetLines(
    [point("a", 0, 0.5, "one"), point("b", 1, 0.5, "two"), point("c", 2, null, "one"), point("d", 3, 1, "one")],
    linear([0, 3], [0, 30]), linear([0, 1], [10, 0]),
  )
  expect(lines).toEqual([{ dataset: "one", path: "M0 5M30 0" }, { dataset: "two", path: "M10 5" }])
})

test("a span's picture is hidden from screen readers: its row says the same", () => {
  const html = renderToStaticMarkup(<SpanBar start={1} duration={2} total={3} width={100} error scores={2} />)
  expect(html).toContain('aria-hidden="true"')
  expect(html).not.toContain("NaN")
})

import { useState } from "react"
import { Curves } from "../src/plots/Curves"
import { DeltaStrip } from "../src/plots/DeltaStrip"
import { Distribution } from "../src/plots/Distribution"
import { LabelShares } from "../src/plots/LabelShares"
import { MissingStrip } from "../src/plots/MissingStrip"
import { Scatter } from "../src/plots/Scatter"
import { Steps } from "../src/plots/Steps"
import { Trend } from "../src/plots/Trend"
import { Waterfall } from "../src/plots/Waterfall"

const DAY = 86_400_000
const START = Date.UTC(2026, 10, 1, 6)
const REASONS = { "no expected_output": 9, "the run failed": 3 }

/** The same "random" numbers each time. */
function numbers(seed: number) {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function scores(n: number, seed: number, steps?: number) {
  const random = numbers(seed)
  return Array.from({ length: n }, (_, place) => {
    const raw = Math.min(1, Math.max(0, 0.7 + 0.3 * (random() + random() + random() - 1.5)))
    return { id: `run-${place}`, value: steps ? Math.round(raw * steps) / steps : raw }
  })
}

const TREND = Array.from({ length: 9 }, (_, place) => {
  const mean = place === 4 ? null : 0.54 + place * 0.025
  return {
    id: `e${place}`, label: `nightly-${place}`, time: START + place * 2.3 * DAY, mean,
    dataset: place < 5 ? "questions v1" : "questions v2",
    interval: mean === null ? null : ([mean - 0.1, Math.min(1, mean + 0.09)] as const), small: place === 1,
    href: "#experiment",
  }
})

const BUCKETS = Array.from({ length: 24 }, (_, place) => {
  const count = [3, 6, 9].includes(place) ? 0 : Math.round(120 + 90 * Math.sin(place / 4))
  return {
    from: START + place * 3_600_000, to: START + (place + 1) * 3_600_000, count,
    errors: Math.round(count * (place === 15 ? 0.2 : 0.03)),
  }
})

const SIGNALS = [
  { name: "landed", present: true, contribution: 0.278, effectiveWeight: 0.278, nominalWeight: 0.25, subScore: 1, detail: "commit 4f2a91c on main", href: "#commit" },
  { name: "tests", present: true, contribution: 0.185, effectiveWeight: 0.278, nominalWeight: 0.25, subScore: 0.665 },
  { name: "verifier", present: false, contribution: 0, effectiveWeight: 0, nominalWeight: 0.1, detail: "no verifier records" },
  { name: "review", present: true, contribution: 0.25, effectiveWeight: 0.444, nominalWeight: 0.4, subScore: 0.563 },
]

const PAIRS = (() => {
  const random = numbers(5)
  return Array.from({ length: 120 }, (_, place) => ({
    id: `item-${place}`, label: `question ${place}`, base: Math.round(random() * 5) / 5,
    candidate: Math.min(1, Math.round((random() * 5) ** 1.1) / 5),
  }))
})()

export function Part2() {
  const [said, say] = useState("pick something")
  const deltas = PAIRS.map((item) => ({ ...item, delta: item.candidate - item.base }))
  const many = scores(3000, 3).map((one) => ({ id: one.id, delta: one.value - 0.65 }))
  return (
    <>
      <section id="trend">
        <h2>Trend</h2>
        <div>
          <Trend name="contains" points={TREND} />
          <Trend name="exact_match" points={TREND.slice(0, 3)} band={[0.5, 0.7]} zoom />
          <Trend name="tone" points={TREND.slice(4, 5)} />
          <Trend name="one" points={TREND.slice(8)} />
        </div>
      </section>
      <section id="steps">
        <h2>Steps</h2>
        <div>
          <Steps noun="trace" buckets={BUCKETS} onRange={(from, to) => say(`${from} to ${to}`)} />
          <Steps noun="trace" buckets={BUCKETS.map(({ errors: _, ...rest }) => rest)} width={240} />
        </div>
      </section>
      <section id="distribution">
        <h2>Distribution</h2>
        <div>
          <Distribution
            name="helpful" scores={scores(188, 11)} estimate={{ mean: 0.7, interval: [0.66, 0.74] }} reasons={REASONS}
            onRange={(low, high) => say(`${low} to ${high}`)} onReason={say}
          />
          <Distribution
            name="contains" scores={scores(188, 11, 1)} estimate={{ mean: 0.7, interval: [0.66, 0.74] }} threshold={0.6}
          />
          <Distribution
            name="helpful" scores={scores(5000, 12)} estimate={{ mean: 0.7, interval: [0.69, 0.71] }}
            reasons={{ ...REASONS, "budget: 5 of 5 USD a day are spent; raise it, or retry tomorrow": 300 }}
          />
          <Distribution
            name="helpful, zoomed" scores={scores(150, 12).map((one) => ({ ...one, value: 0.6 + one.value / 5 }))}
            estimate={{ mean: 0.74, interval: [0.72, 0.76] }} zoom
          />
          <Distribution name="nothing" scores={[]} reasons={REASONS} />
        </div>
      </section>
      <section id="labels">
        <h2>Label shares</h2>
        <div>
          <LabelShares
            name="category" total={200}
            labels={
              [
                { label: "incomplete", count: 40, share: 0.2, interval: [0.15, 0.26] },
                { label: "correct", count: 124, share: 0.62, interval: [0.55, 0.68] },
                {
                  label: "hallucination about something not in the context", count: 36, share: 0.18,
                  interval: [0.13, 0.24],
                },
              ]
            }
          />
        </div>
      </section>
      <section id="curves">
        <h2>Curves</h2>
        <div>
          <Curves curves={[
            {
              name: "pass@k",
              points: [0.745, 0.85, 0.9, 0.93, 0.95].map(
                (value, place) => (
                  { k: place + 1, value, interval: [value - 0.08, Math.min(1, value + 0.05)] as const }
                )
              ),
            },
            {
              name: "pass^k",
              points: [0.745, 0.6, 0.52, 0.46, 0.41].map(
                (value, place) => ({ k: place + 1, value, interval: [value - 0.1, value + 0.1] as const })
              ),
            },
          ]} />
          <Curves
            zoom
            curves={
              [
                { name: "pass@k", points: [0.8, 0.82].map((value, place) => ({ k: place + 1, value })) },
                { name: "pass^k", points: [0.8, 0.81].map((value, place) => ({ k: place + 1, value })) },
              ]
            }
          />
        </div>
      </section>
      <section id="scatter">
        <h2>Scatter, sorted strip</h2>
        <p>{said}</p>
        <div>
          <Scatter
            items={PAIRS} baseName="main" candidateName="new prompt" onBrush={(_, ids) => say(`${ids.length} items`)}
            onOpen={(ids) => say(ids.join(", "))}
          />
          <DeltaStrip items={deltas} onOpen={(ids) => say(ids.join(", "))} />
          <DeltaStrip items={many} width={480} />
          <DeltaStrip items={deltas.slice(0, 6)} width={300} />
        </div>
      </section>
      <section id="waterfall">
        <h2>Waterfall of an iteration</h2>
        <div>
          <Waterfall signals={SIGNALS} value={0.713} />
          <Waterfall signals={SIGNALS.slice(0, 2)} value={0.5} width={480} />
        </div>
      </section>
      <section id="missing">
        <h2>Missing strip</h2>
        <div>
          <MissingStrip scored={188} absent={9} failed={3} pending={0} onPick={say} />
          <MissingStrip scored={20} absent={60} failed={80} pending={40} />
          <MissingStrip scored={0} absent={0} failed={0} pending={0} width={160} />
          <MissingStrip scored={99_998} absent={1} failed={1} pending={0} width={200} />
        </div>
      </section>
    </>
  )
}

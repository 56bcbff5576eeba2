import { Forest } from "../src/plots/Forest"
import { GateStrip } from "../src/plots/GateStrip"
import { Interval } from "../src/plots/Interval"
import { PairedDelta } from "../src/plots/PairedDelta"
import { SpanBar } from "../src/plots/SpanBar"

const REASONS = { "no expected_output": 9, "the run failed": 3 }
const METHOD = "Wilson interval over 38 items with 5 trials each"

export function Part1() {
  return (
    <>
      <section id="interval">
        <h2>Interval</h2>
        <div>
          <table className="cells">
            <tbody>
              <tr><td>plain</td><td><Interval name="contains" mean={0.745} interval={
                [0.633, 0.831]
              } scored={188} total={200} reasons={REASONS} method={METHOD} href="#runs" showNumber /></td></tr>
              <tr><td>inner, bracket,
              bar</td><td><Interval name="contains" mean={0.745} interval={
                [0.633, 0.831]
              } inner={[0.7, 0.78]} bracket={[0.55, 0.9]} threshold={0.7} showNumber /></td></tr>
              <tr><td>clipped,
              few items</td><td><Interval name="exact" mean={0.92} interval={[0.7, 1]} small showNumber /></td></tr>
              <tr><td>zero</td><td><Interval name="exact" mean={0} interval={[0, 0.2]} showNumber /></td></tr>
              <tr><td>zoomed column,
              cut</td><td><Interval name="exact" mean={0.7} interval={
                [0.55, 0.78]
              } domain={[0.6, 0.8]} showNumber /></td></tr>
              <tr><td>no interval</td><td><Interval name="exact" mean={0.4} showNumber /></td></tr>
              <tr><td>no score</td><td><Interval name="exact" mean={null} reasons={REASONS} onOpen={
                () => {}
              } /></td></tr>
              <tr><td>no score,
              short</td><td><Interval name="exact" mean={null} reasons={REASONS} short onOpen={() => {}} /></td></tr>
              <tr><td>pending</td><td><Interval name="exact" mean={null} pending={200} /></td></tr>
            </tbody>
          </table>
        </div>
      </section>
      <section id="forest">
        <h2>Forest</h2>
        <div>
          <Forest rows={ROWS} />
          <Forest rows={ROWS.slice(0, 2)} zoom threshold={0.7} width={480} />
        </div>
      </section>
      <section id="gate">
        <h2>Gate strip</h2>
        <div>
          <GateStrip
            name="contains" decision="pass" value={0.86} interval={[0.78, 0.92]} threshold={0.7} gap={0.16} bound="ci"
            n={38} minN={5}
          />
          <GateStrip
            name="contains" decision="fail" value={0.5} interval={[0.41, 0.6]} threshold={0.7} gap={-0.2} bound="ci"
            n={38}
          />
          <GateStrip
            name="contains" decision="undecided" value={0.745} interval={[0.633, 0.831]} threshold={0.7} gap={0.045}
            bound="ci" n={38} moreItems={120}
          />
          <GateStrip name="contains" decision={null} value={null} threshold={0.7} reason="all 200 runs failed" />
          <GateStrip
            name="error_rate" decision="pass" value={0.02} interval={[0.005, 0.07]} threshold={0.1} comparison="lte"
            gap={-0.08}
          />
          <GateStrip
            name="contains" decision="undecided" value={0.745} interval={[0.633, 0.831]} threshold={0.7} zoom
          />
        </div>
      </section>
      <section id="delta">
        <h2>Paired delta</h2>
        <div>
          <PairedDelta minEffect={0.05} rows={DELTAS} />
        </div>
      </section>
      <section id="span">
        <h2>Span bars</h2>
        <div>
          {[false, true].map((log) => (
            <div key={String(log)}>
              <p>{log ? "log" : "linear"}</p>
              <SpanBar
                start={0} duration={4200} total={4200} children={[[100, 2000], [1800, 4000]]} width={400} log={log}
                scores={2}
              />
              <SpanBar start={100} duration={1900} total={4200} children={[[150, 600]]} width={400} log={log} />
              <SpanBar start={150} duration={450} total={4200} width={400} log={log} error />
              <SpanBar start={1800} duration={2200} total={4200} width={400} log={log} scores={1} />
              <SpanBar start={4100} duration={null} total={4200} width={400} log={log} />
              <SpanBar start={4199} duration={0.2} total={4200} width={400} log={log} error />
            </div>
          ))}
        </div>
      </section>
    </>
  )
}

const ROWS = [
  {
    id: "a", name: "contains", mean: 0.745, interval: [0.633, 0.831] as const, inner: [0.7, 0.79] as const,
    bracket: [0.6, 0.86] as const, scored: 188, total: 200, reasons: REASONS, method: METHOD, href: "#runs",
    threshold: 0.7,
  },
  {
    id: "b", name: "answer_relevancy.faithfulness_with_a_long_name", mean: 0.61, interval: [0.52, 0.7] as const,
    scored: 200, total: 200,
  },
  {
    id: "c", name: "exact_match", mean: 0.97, interval: [0.84, 1] as const, small: true, scored: 12, total: 12,
    notes: ["fewer than 15 items, so the interval stands on little"],
  },
  {
    id: "d", name: "judge: helpful", mean: null,
    reasons: { ...REASONS, "budget: 5 of 5 USD a day are spent; raise it, or retry tomorrow": 188 }, scored: 0,
    total: 200,
  },
]

const DELTAS = [
  {
    id: "1", name: "contains", verdict: "improved" as const, delta: 0.214, interval: [0.115, 0.314] as const,
    words: "better, by 0.115 to 0.314", p: 0.0002, rawP: 0.00005, pairs: 38, method: "paired t interval",
  },
  {
    id: "2", name: "exact_match", verdict: "regressed" as const, delta: -0.12, interval: [-0.2, -0.06] as const,
    words: "worse, by 0.060 to 0.200", p: 0.003, pairs: 38,
  },
  {
    id: "3", name: "helpful", verdict: "inconclusive" as const, delta: 0.02, interval: [-0.09, 0.13] as const,
    words: "cannot tell: -0.090 to +0.130; about 120 more items would decide", p: 0.7, pairs: 38, moreItems: 120,
  },
  {
    id: "4", name: "concise", verdict: "equivalent" as const, delta: 0.001, interval: [-0.02, 0.022] as const,
    words: "as good: -0.020 to +0.022", p: 1, pairs: 38,
  },
  {
    id: "5", name: "tone", verdict: "inconclusive" as const, delta: null, interval: null,
    words: "cannot tell: too few items in both", pairs: 1,
  },
]

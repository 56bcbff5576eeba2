import type { JudgeCard } from "../../api/judges"
import { countText, countWords, durationText, intervalText, moneyText, serverWords } from "../../words/format"
import { sortedReasons } from "../../words/announce"
import { absence } from "../../words/absence"
import { Characters } from "../../parts/Text"
import styles from "./Judges.module.css"
import { Notes } from "./People"

/** What a score costs, why answers failed, and what else a reader should know. */
export function Costs({ card }: { card: JudgeCard }) {
  const failures = sortedReasons(card.failure_reasons)
  const unanswered = sortedReasons(card.unanswered)
  const families = sortedReasons(card.families)
  return (
    <section className={styles.section} aria-labelledby="card-costs">
      <h2 id="card-costs">What it takes, and where it fails</h2>
      <dl className={styles.amounts}>
        <Amount name="Cost per score" value={card.cost_usd.value} text={moneyText(card.cost_usd.value)} ends={card.cost_usd.confidence_interval_95?.map(moneyText).join("–")} figure={card.cost_usd} />
        <Amount name="Input tokens per score" value={card.tokens_input.value} text={countText(card.tokens_input.value)} ends={intervalText(card.tokens_input.confidence_interval_95, 0)} figure={card.tokens_input} />
        <Amount name="Output tokens per score" value={card.tokens_output.value} text={countText(card.tokens_output.value)} ends={intervalText(card.tokens_output.confidence_interval_95, 0)} figure={card.tokens_output} />
        <Amount name="Median time" value={card.latency_ms.value} text={durationText(card.latency_ms.value)} ends={card.latency_ms.confidence_interval_95?.map(durationText).join("–")} figure={card.latency_ms} />
      </dl>
      <Reasons title="Answers without a readable score" reasons={failures} none={card.config_hash === null ? serverWords(card.parse_failures.reason ?? "not known") : "none"} />
      <Reasons title="Jobs without an answer" reasons={unanswered} none="none" />
      <Reasons title="Models that it judged, by family" reasons={families} none="not known" plain />
      {card.addresses_judge > 0 && <p>{countWords(card.addresses_judge, "output")} {card.addresses_judge === 1 ? "seems" : "seem"} to speak to the judge.</p>}
      {card.notes.length > 0 && <Notes notes={card.notes} />}
    </section>
  )
}

interface AmountProps {
  name: string
  value: number | null
  text: string
  ends: string | undefined
  figure: { n: number; reason: string | null }
}

function Amount({ name, value, text, ends, figure }: AmountProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value === null ? (
          <span className="mute">unknown: {serverWords(figure.reason ?? "no score tells it")}</span>
        ) : (
          <>
            {text} {ends && <span className="mute">{ends}</span>} <span className="mute">n {countText(figure.n)}</span>
          </>
        )}
      </dd>
    </div>
  )
}

function Reasons({ title, reasons, none, plain = false }: { title: string; reasons: [string, number][]; none: string; plain?: boolean }) {
  return (
    <p className={styles.reasons}>
      <b>{title}:</b> {reasons.length === 0 && none}
      {reasons.map(([reason, count], index) => (
        <span key={reason} title={plain ? undefined : absence(reason).sentence}>
          {index > 0 && " · "}
          {countText(count)} <Characters text={reason.replaceAll("_", " ")} />
        </span>
      ))}
    </p>
  )
}

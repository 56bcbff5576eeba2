import { useQuery } from "@tanstack/react-query"
import { runQuery } from "../../api/experiments"
import type { RunTranscript } from "../../api/leaderboard"
import { ScoreItem } from "../../parts/ScoreItem"
import { Characters } from "../../parts/Text"
import { scoreText } from "../../words/format"
import { claimPlace } from "./claimPlaces"
import styles from "./Transcript.module.css"

interface Props {
  data: RunTranscript
  chosen: number | undefined
  onChoose: (claim: number) => void
}

/** What the score says of the run, and the evidence; each piece leads to the place where it is to be seen. */
export function Claims({ data, chosen, onChoose }: Props) {
  if (data.family === null) return <PlainScores run={data.run_id} />
  return (
    <aside className={styles.claims} aria-label="Claims" tabIndex={0}>
      <h2>What the score says</h2>
      <ul>
        {data.metrics.map((metric) => (
          <li key={metric.name} className={styles.metric}>
            <span>
              <Characters text={metric.label} />{" "}
              {metric.claims.map((claim) => (
                <ClaimLink key={claim} data={data} claim={claim} chosen={chosen} onChoose={onChoose} short />
              ))}
            </span>
            {metric.reason === null ? (
              <b>
                <Characters text={valueText(metric.value)} />
              </b>
            ) : (
              <span className="mute">
                <Characters text={metric.reason} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <h2>Evidence</h2>
      {data.claims.length === 0 && <p className="mute">None of it is seen at a single place.</p>}
      <ol className={styles.evidence}>
        {data.claims.map((_, claim) => (
          <li key={claim}>
            <ClaimLink data={data} claim={claim} chosen={chosen} onChoose={onChoose} />
          </li>
        ))}
      </ol>
    </aside>
  )
}

/** The scores of a run that is not a benchmark's, such as an imported one: values and reasons, without places. */
function PlainScores({ run }: { run: string }) {
  const { data } = useQuery(runQuery(run, false))
  const scores = data?.scores ?? []
  return (
    <aside className={styles.claims} aria-label="Claims" tabIndex={0}>
      <h2>What the scores say</h2>
      <ul>
        {scores.map((score) => (
          <ScoreItem key={score.id} score={score} />
        ))}
      </ul>
      <p className="mute">{data !== undefined && scores.length === 0 ? "This run has no score." : "They name no places in the transcript."}</p>
    </aside>
  )
}

function ClaimLink({ data, claim, chosen, onChoose, short = false }: Props & { claim: number; short?: boolean }) {
  const about = data.claims[claim]
  if (!about) return null
  const step = about.step === null ? undefined : data.steps[about.step]
  const words = `${claim + 1} · ${step === undefined ? "not in the transcript" : `step ${step.step_id}`}: ${about.excerpt.slice(0, 160)}`
  if (step === undefined) return short ? null : <span className="mute"><Characters text={words} /></span>
  return (
    <a
      className={short ? styles.number : styles.claim}
      href={`#${claimPlace(claim)}`}
      aria-current={chosen === claim || undefined}
      aria-label={short ? `Evidence ${claim + 1}` : undefined}
      title={short ? words : undefined}
      onClick={(event) => {
        event.preventDefault()
        onChoose(claim)
        const mark = document.getElementById(claimPlace(claim))
        mark?.scrollIntoView({ block: "center" })
        mark?.focus()
      }}
    >
      {short ? claim + 1 : <Characters text={words} />}
    </a>
  )
}

function valueText(value: RunTranscript["metrics"][number]["value"]): string {
  if (value === null) return "never"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (Array.isArray(value)) return value.join(", ") || "none"
  return typeof value === "number" && !Number.isInteger(value) ? scoreText(value) : String(value)
}

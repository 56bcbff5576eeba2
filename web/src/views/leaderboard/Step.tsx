import { Link } from "@tanstack/react-router"
import { useState } from "react"
import type { RunTranscript, TranscriptCall, TranscriptStep, TranscriptTurn } from "../../api/leaderboard"
import { Characters, Text } from "../../parts/Text"
import { countText } from "../../words/format"
import { claimPlace } from "./claimPlaces"
import styles from "./Transcript.module.css"

interface Shown {
  data: RunTranscript
  chosen: number | undefined
}

/** One step: what came in, and the turns that answered it. */
export function Step({ project, data, step, chosen }: Shown & { project: string; step: TranscriptStep }) {
  return (
    <li className={styles.step}>
      <h3 className={styles.stepHead}>
        Step {step.step_id}
        {step.timestamp && <span className="mute">{step.timestamp}</span>}
        {step.span_id && (
          <Link to="/projects/$project/traces/$trace" params={{ project, trace: data.trace_id }} search={{ span: step.span_id } as never}>
            in the trace
          </Link>
        )}
      </h3>
      {step.message !== null && (
        <div className={styles.message} data-from="user">
          <span className={styles.who}>input</span>
          <Shortened text={step.message} what="the input" />
        </div>
      )}
      {step.turns.map((turn, at) => (
        <Turn key={at} data={data} turn={turn} chosen={chosen} />
      ))}
      {step.error !== null && (
        <p className={styles.error}>
          ✕ <Characters text={step.error} />
        </p>
      )}
      <Marks data={data} claims={step.claims} chosen={chosen} />
    </li>
  )
}

function Turn({ data, turn, chosen }: Shown & { turn: TranscriptTurn }) {
  const isSilent = turn.text === null || turn.text === ""
  return (
    <>
      {!isSilent && (
        <div className={styles.message} data-from="agent" data-marked={turn.claims.length > 0 || undefined}>
          <span className={styles.who}>agent</span>
          <Text text={turn.text ?? ""} />
        </div>
      )}
      <Marks data={data} claims={turn.claims} chosen={chosen} />
      {turn.calls.map((call, at) => (
        <Call key={at} data={data} call={call} chosen={chosen} />
      ))}
    </>
  )
}

function Call({ data, call, chosen }: Shown & { call: TranscriptCall }) {
  return (
    <div className={styles.message} data-from="tool" data-marked={call.claims.length > 0 || undefined}>
      <span className={styles.who}>{call.ok === false ? "✕ call" : "call"}</span>
      <div>
        <code>
          <Characters text={`${call.tool}(${jsonText(call.arguments)})`} />
        </code>
        <div className={styles.result}>
          <span>→</span>
          <Shortened text={jsonText(call.result)} what="the result" />
        </div>
        <Marks data={data} claims={call.claims} chosen={chosen} />
      </div>
    </div>
  )
}

/** The claims that are seen here. */
function Marks({ data, claims, chosen }: Shown & { claims: readonly number[] }) {
  return claims.map((claim) => {
    const about = data.claims[claim]
    return (
      about && (
        <p key={claim} id={claimPlace(claim)} className={styles.mark} tabIndex={-1} data-chosen={chosen === claim || undefined}>
          <b>
            {claim + 1} · <Characters text={about.label} />
          </b>{" "}
          <Characters text={about.excerpt} />
        </p>
      )
    )
  })
}

const SHOWN = 700

/** Long texts begin here and open in place, so that a transcript can be read as a whole. */
function Shortened({ text, what }: { text: string; what: string }) {
  const [whole, setWhole] = useState(false)
  if (whole || text.length <= SHOWN) return <Text text={text} />
  return (
    <div>
      <Text text={`${text.slice(0, SHOWN / 2)}…`} />
      <button type="button" onClick={() => setWhole(true)}>
        Show all of {what} ({countText(text.length)} characters)
      </button>
    </div>
  )
}

function jsonText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

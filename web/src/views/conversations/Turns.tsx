import { Link } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import type { Turn } from "../../api/conversations"
import { dequeue } from "../../api/review"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Cost } from "../../parts/Cost"
import { Markdown } from "../../parts/Markdown"
import { ProblemBox } from "../../parts/Problem"
import { ScoreItem } from "../../parts/ScoreItem"
import { Characters, Text } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { ToQueue } from "../../parts/ToQueue"
import { WriteButton } from "../../parts/WriteButton"
import { bytesText, countText, durationText } from "../../words/format"
import styles from "./Conversations.module.css"

interface TurnsProps {
  project: string
  turns: Turn[]
  /** The trace of the turn that the address names. */
  chosen: string | undefined
  /** Texts as they were written, not formatted. */
  isPlain: boolean
}

export function Turns({ project, turns, chosen, isPlain }: TurnsProps) {
  return (
    <ol className={styles.turns} aria-label="Turns">
      {turns.map((turn, index) => (
        <OneTurn key={turn.id} project={project} turn={turn} number={index + 1} isChosen={turn.id === chosen} isPlain={isPlain} />
      ))}
    </ol>
  )
}

interface TurnProps {
  project: string
  turn: Turn
  number: number
  isChosen: boolean
  isPlain: boolean
}

function OneTurn({ project, turn, number, isChosen, isPlain }: TurnProps) {
  const box = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) box.current?.scrollIntoView({ block: "start" })
  }, [isChosen])
  const scores = turn.span_scores ?? []
  return (
    <li ref={box} className={styles.turn} aria-current={isChosen ? "true" : undefined} aria-labelledby={`turn-${number}`}>
      <div className={styles.turnHead}>
        <h2 id={`turn-${number}`}>Turn {countText(number)}</h2>
        <Facts turn={turn} />
        <div className={styles.turnActions}>
          <Link to="/projects/$project/traces/$trace" params={{ project, trace: turn.id }}>
            Open the trace<span className="hidden-text"> of turn {number}</span>
          </Link>
          <Queueing project={project} turn={turn} number={number} />
        </div>
      </div>
      <Message speaker="User" text={turn.question} isPlain={isPlain} none="The root span has no input." />
      <Message speaker="Assistant" text={turn.answer} isPlain={isPlain} none="The root span has no output." />
      <Errors turn={turn} project={project} />
      {scores.length > 0 && (
        <section className={styles.scores} aria-label={`Scores of turn ${number}`}>
          <h3>Scores</h3>
          <ul>
            {scores.map((score) => (
              <ScoreItem key={score.id} score={score} />
            ))}
          </ul>
        </section>
      )}
    </li>
  )
}

function Facts({ turn }: { turn: Turn }) {
  return (
    <p className={styles.facts}>
      <Time at={turn.started_at ?? turn.created_at} />
      {turn.duration_ms !== null && <span>{durationText(turn.duration_ms)}</span>}
      {turn.tokens > 0 && <span>{countText(turn.tokens, "tok")}</span>}
      {(turn.cost_usd != null || turn.unpriced_span_count > 0) && (
        <span>
          cost <Cost of={turn} what="turn" />
        </span>
      )}
      {turn.model !== null && <Characters text={turn.model} />}
    </p>
  )
}

interface MessageProps {
  speaker: "User" | "Assistant"
  text: Turn["question"]
  isPlain: boolean
  none: string
}

/** What one side said: named in words, and set apart by place and ground. */
function Message({ speaker, text, isPlain, none }: MessageProps) {
  return (
    <section className={styles.message} data-speaker={speaker} aria-label={speaker}>
      <h3>{speaker}</h3>
      {text == null || text.text.trim() === "" ? (
        <p className="mute">{none}</p>
      ) : isPlain ? (
        <Text text={text.text} />
      ) : (
        <Markdown text={text.text} below={3} />
      )}
      {text?.truncated && <p className="mute">Only the beginning is shown, of {bytesText(text.size)}. The trace has the rest.</p>}
    </section>
  )
}

function Errors({ turn, project }: { turn: Turn; project: string }) {
  const errors = turn.errors ?? []
  if (errors.length === 0) return null
  return (
    <ul className={styles.errors} aria-label="Errors">
      {errors.map((error) => (
        <li key={error.span_id}>
          <Link to="/projects/$project/traces/$trace" params={{ project, trace: turn.id }} search={{ span: error.span_id }}>
            <span aria-hidden="true">✕ </span>Error in <Characters text={error.name} />
          </Link>
          : <Characters text={error.message ?? error.type ?? "no message"} />
        </li>
      ))}
    </ul>
  )
}

function Queueing({ project, turn, number }: { project: string; turn: Turn; number: number }) {
  const [isAdding, setAdding] = useState(false)
  const target = { type: "trace" as const, id: turn.id }
  const leave = useWrite(() => dequeue(project, target), {
    changes: [["conversation"], ["traces"], ["trace", project, turn.id], ["review"]],
    onDone: () => announce("Taken out of the review queue."),
  })
  return (
    <>
      <WriteButton busy={leave.busy} onClick={() => (turn.in_queue ? leave.run(undefined) : setAdding(true))}>
        {turn.in_queue ? "Take out of the review queue" : "Add to the review queue…"}
        <span className="hidden-text"> (turn {number})</span>
      </WriteButton>
      {leave.problem && <ProblemBox problem={leave.problem} onRetry={leave.retry} />}
      {isAdding && <ToQueue project={project} target={target} onClose={() => setAdding(false)} />}
    </>
  )
}

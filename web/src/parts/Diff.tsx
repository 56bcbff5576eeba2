import type { ReactNode } from "react"
import { useMemo } from "react"
import type { Part } from "./diffParts"
import { differenceOf, sideOf } from "./diffParts"
import styles from "./Diff.module.css"
import { Characters, Text } from "./Text"

interface Props {
  before: string
  after: string
  /** What the two are: "expected", "output". */
  beforeLabel: string
  afterLabel: string
  as?: "inline" | "side"
}

/** What differs between two texts, by sign and line as well as by colour. */
export function Diff({ before, after, beforeLabel, afterLabel, as = "inline" }: Props) {
  const difference = useMemo(() => differenceOf(before, after), [before, after])
  if (before === after) {
    return (
      <div className={styles.frame}>
        <p className="mute">
          {beforeLabel} and {afterLabel} are the same.
        </p>
        <Text text={after} />
      </div>
    )
  }
  if (difference.by === "nothing") {
    return (
      <div className={styles.frame}>
        <p className="mute">Too long to compare here; both are shown as they are.</p>
        <div className={styles.sides}>
          <Side label={beforeLabel}><Text text={before} /></Side>
          <Side label={afterLabel}><Text text={after} /></Side>
        </div>
      </div>
    )
  }
  return (
    <div className={styles.frame}>
      {difference.by === "lines" && <p className="mute">Long texts: compared by lines, not by words.</p>}
      {as === "inline" ? (
        <>
          <p className={styles.legend}>
            <del>−{beforeLabel} only</del> <ins>+{afterLabel} only</ins>
          </p>
          <Parts parts={difference.parts} />
        </>
      ) : (
        <div className={styles.sides}>
          <Side label={beforeLabel}>
            <Parts parts={sideOf(difference.parts, "before")} />
          </Side>
          <Side label={afterLabel}>
            <Parts parts={sideOf(difference.parts, "after")} />
          </Side>
        </div>
      )}
    </div>
  )
}

function Side({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.side} aria-label={label}>
      <p className={styles.label}>{label}</p>
      {children}
    </section>
  )
}

function Parts({ parts }: { parts: readonly Part[] }) {
  return (
    <div className={styles.text}>
      {parts.map((part, index) =>
        part.kind === "same" ? (
          <Characters key={index} text={part.text} />
        ) : part.kind === "added" ? (
          <ins key={index}>
            <Sign sign="+" words="added: " />
            <Characters text={part.text} />
          </ins>
        ) : (
          <del key={index}>
            <Sign sign="−" words="removed: " />
            <Characters text={part.text} />
          </del>
        ),
      )}
    </div>
  )
}

function Sign({ sign, words }: { sign: string; words: string }) {
  return (
    <>
      <span aria-hidden="true" className={styles.sign}>
        {sign}
      </span>
      <span className="hidden-text">{words}</span>
    </>
  )
}

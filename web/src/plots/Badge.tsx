import type { Tone } from "../words/verdicts"
import css from "./Badge.module.css"

export interface BadgeProps {
  shape: string
  word: string
  tone: Tone
}

/** A decision as shape and word; the colour only repeats it. */
export function Badge({ shape, word, tone }: BadgeProps) {
  return (
    <span className={`${css.badge} ${css[tone] ?? ""}`}>
      <span aria-hidden="true">{shape}</span> {word}
    </span>
  )
}

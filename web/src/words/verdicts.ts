// Better and worse in shape, sign and word; colour only comes in addition.
import { deltaText, type Value } from "./format"

export type Verdict = "improved" | "regressed" | "equivalent" | "inconclusive"
export type Decision = "pass" | "fail" | "undecided" | "cannot"
/** Names a token: `--good`, `--bad`, `--unsure`, `--mute`. */
export type Tone = "good" | "bad" | "unsure" | "mute"

export interface Spoken {
  shape: string
  word: string
  tone: Tone
}

const VERDICTS: Record<Verdict, Spoken> = {
  improved: { shape: "▲", word: "better", tone: "good" },
  regressed: { shape: "▼", word: "worse", tone: "bad" },
  equivalent: { shape: "◆", word: "as good", tone: "mute" },
  inconclusive: { shape: "?", word: "cannot tell", tone: "unsure" },
}

const DECISIONS: Record<Decision, Spoken> = {
  pass: { shape: "✓", word: "PASS", tone: "good" },
  fail: { shape: "✕", word: "FAIL", tone: "bad" },
  undecided: { shape: "?", word: "UNDECIDED", tone: "unsure" },
  cannot: { shape: "○", word: "NO SCORE", tone: "mute" },
}

/** The order of a comparison's rows: what needs a look comes first. */
export const VERDICT_ORDER: readonly Verdict[] = ["regressed", "inconclusive", "improved", "equivalent"]

/** A comparison's verdict; a word that is not known is shown as it is. */
export function verdictWords(verdict: string): Spoken {
  return VERDICTS[verdict as Verdict] ?? { shape: "?", word: verdict, tone: "unsure" }
}

/** A gate's decision. None at all means that there was no score to decide on. */
export function decisionWords(decision: string | null | undefined): Spoken {
  if (decision === null || decision === undefined) return DECISIONS.cannot
  return DECISIONS[decision as Decision] ?? { shape: "?", word: decision.toUpperCase(), tone: "unsure" }
}

/** One item's change: `▲ +0.040 better`, `▼ −0.040 worse`, `◆ ±0.000 unchanged`. */
export function changeWords(delta: Value): Spoken & { text: string } {
  const sign = deltaText(delta).charAt(0)
  const spoken: Spoken =
    sign === "–"
      ? { shape: "?", word: "not in both", tone: "mute" }
      : sign === "±"
        ? { shape: "◆", word: "unchanged", tone: "mute" }
        : sign === "+"
          ? { shape: "▲", word: "better", tone: "good" }
          : { shape: "▼", word: "worse", tone: "bad" }
  return { ...spoken, text: `${spoken.shape} ${sign === "–" ? "" : `${deltaText(delta)} `}${spoken.word}` }
}

/** Rows in the order of a comparison: by verdict, then by how strong the evidence is (smallest p first). */
export function byVerdict<Row extends { verdict: string; p?: Value; name: string }>(rows: readonly Row[]): Row[] {
  const rank = (row: Row) => {
    const place = VERDICT_ORDER.indexOf(row.verdict as Verdict)
    return place < 0 ? VERDICT_ORDER.length : place
  }
  return [...rows].sort(
    (a, b) => rank(a) - rank(b) || (a.p ?? 1) - (b.p ?? 1) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
}

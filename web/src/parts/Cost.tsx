import { countWords, MISSING, moneyText } from "../words/format"

interface Costly {
  cost_usd?: number | null
  known_cost_usd?: number | null
  unpriced_span_count?: number
}

/** What model calls cost together: a sum only where each of them has a price. */
export function Cost({ of, what }: { of: Costly; what: string }) {
  const { cost_usd: cost, known_cost_usd: known, unpriced_span_count: unpriced = 0 } = of
  if (cost !== null && cost !== undefined) return <>{moneyText(cost)}</>
  if (unpriced === 0) return <span title={`No model call with tokens in this ${what}`}>{MISSING}</span>
  const others = known ? `; the others cost ${moneyText(known)}` : ""
  const have = unpriced === 1 ? "has" : "have"
  return <span title={`${countWords(unpriced, "model call")} ${have} no known price${others}`}>unknown</span>
}

// A claim as a row of dumbbells.
import type { Claim } from "../../api/iterations"
import type { ClaimRow } from "../../plots/Dumbbells"

export function claimRow(claim: Claim, name: string, id: string): ClaimRow {
  const of = (side: Claim["claimed"]): number | null => (side.present ? side.sub_score : null)
  return { id, name, claimed: of(claim.claimed), observed: of(claim.observed), detail: claim.observed.detail || undefined }
}

/** Whether the claim and the fact are both known and apart. */
export function differs(claim: Claim): boolean {
  return claim.claimed.present && claim.observed.present && Math.abs(claim.claimed.sub_score - claim.observed.sub_score) > 1e-9
}

/** "impl: landed", as the choice of what was claimed. */
export function claimName(row: { role: string; signal: string }): string {
  return `${row.role}: ${row.signal}`
}

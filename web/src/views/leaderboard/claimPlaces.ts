// Where a claim's mark stands on the page.

export function claimPlace(claim: number): string {
  return `claim-${claim}`
}

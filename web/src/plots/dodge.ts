/** Moves labels apart so that two are at least `gap` pixels from each other and all lie between `low` and `high`. */
export function dodge(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const at = [...wanted]
  let least = low
  for (const place of order) {
    at[place] = Math.max(least, at[place] ?? low)
    least = (at[place] ?? low) + gap
  }
  let most = high
  for (const place of order.reverse()) {
    at[place] = Math.min(most, at[place] ?? high)
    most = (at[place] ?? high) - gap
  }
  return at
}

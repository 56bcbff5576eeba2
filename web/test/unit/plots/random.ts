/** Numbers from 0 to 1, the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

export function Part2() {
  return null
}

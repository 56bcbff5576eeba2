import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Compare() {
  useTitle("Compare")
  return <h1>Compare</h1>
}

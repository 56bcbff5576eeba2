import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Rules() {
  useTitle("Rules")
  return <h1>Rules</h1>
}

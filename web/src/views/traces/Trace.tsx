import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Trace() {
  useTitle("Trace")
  return <h1>Trace</h1>
}

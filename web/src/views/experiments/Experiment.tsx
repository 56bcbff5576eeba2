import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Experiment() {
  useTitle("Experiment")
  return <h1>Experiment</h1>
}

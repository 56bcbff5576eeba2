import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Experiments() {
  useTitle("Experiments")
  return <h1>Experiments</h1>
}

import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Dataset() {
  useTitle("Dataset")
  return <h1>Dataset</h1>
}

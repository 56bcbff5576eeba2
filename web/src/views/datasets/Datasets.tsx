import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Datasets() {
  useTitle("Datasets")
  return <h1>Datasets</h1>
}

import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Traces() {
  useTitle("Traces")
  return <h1>Traces</h1>
}

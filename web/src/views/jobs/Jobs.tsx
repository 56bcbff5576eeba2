import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Jobs() {
  useTitle("Jobs")
  return <h1>Jobs</h1>
}

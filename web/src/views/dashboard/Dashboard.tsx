import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Dashboard() {
  useTitle("Dashboard")
  return <h1>Dashboard</h1>
}

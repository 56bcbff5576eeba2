import { useTitle } from "../../title"

/** Stands here until the view is written. */
export function Settings() {
  useTitle("Settings")
  return <h1>Settings</h1>
}

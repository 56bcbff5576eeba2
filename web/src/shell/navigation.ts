// What the left bar shows. A view gets a line here when it exists, never before.
import type { KeyId } from "../keys"

export interface Entry {
  to:
    | "/projects/$project"
    | "/projects/$project/traces"
    | "/projects/$project/experiments"
    | "/projects/$project/datasets"
    | "/projects/$project/jobs"
    | "/projects/$project/rules"
    | "/projects/$project/settings"
  label: string
  /** One letter for the narrow bar. */
  mark: string
  key?: KeyId
}

export const NAVIGATION: { group: string; entries: Entry[] }[] = [
  {
    group: "Measure",
    entries: [
      { to: "/projects/$project", label: "Dashboard", mark: "D", key: "go.dashboard" },
      { to: "/projects/$project/experiments", label: "Experiments", mark: "E", key: "go.experiments" },
    ],
  },
  { group: "Look", entries: [{ to: "/projects/$project/traces", label: "Traces", mark: "T", key: "go.traces" }] },
  {
    group: "Keep",
    entries: [
      { to: "/projects/$project/datasets", label: "Datasets", mark: "S", key: "go.datasets" },
      { to: "/projects/$project/jobs", label: "Jobs", mark: "J" },
      { to: "/projects/$project/rules", label: "Rules", mark: "R" },
      { to: "/projects/$project/settings", label: "Settings", mark: "⚙" },
    ],
  },
]

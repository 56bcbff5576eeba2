// What the left bar shows. A view gets a line here when it exists, never before.
import type { KeyId } from "../keys"
import type { IconName } from "./Icon"

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
  icon: IconName
  key?: KeyId
}

export const NAVIGATION: { group: string; entries: Entry[] }[] = [
  {
    group: "Measure",
    entries: [
      { to: "/projects/$project", label: "Dashboard", icon: "dashboard", key: "go.dashboard" },
      { to: "/projects/$project/experiments", label: "Experiments", icon: "experiments", key: "go.experiments" },
    ],
  },
  { group: "Look", entries: [{ to: "/projects/$project/traces", label: "Traces", icon: "traces", key: "go.traces" }] },
  {
    group: "Keep",
    entries: [
      { to: "/projects/$project/datasets", label: "Datasets", icon: "datasets", key: "go.datasets" },
      { to: "/projects/$project/jobs", label: "Jobs", icon: "jobs" },
      { to: "/projects/$project/rules", label: "Rules", icon: "rules" },
      { to: "/projects/$project/settings", label: "Settings", icon: "settings" },
    ],
  },
]

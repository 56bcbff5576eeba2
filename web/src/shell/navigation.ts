// What the left bar shows. A view gets a line here when it exists, never before.
import type { KeyId } from "../keys"
import type { IconName } from "./Icon"

export interface Entry {
  to:
    | "/projects/$project"
    | "/projects/$project/traces"
    | "/projects/$project/conversations"
    | "/projects/$project/experiments"
    | "/projects/$project/leaderboard"
    | "/projects/$project/datasets"
    | "/projects/$project/iterations"
    | "/projects/$project/review"
    | "/projects/$project/review/agreement"
    | "/projects/$project/judges"
    | "/projects/$project/jobs"
    | "/projects/$project/rules"
    | "/projects/$project/playground"
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
      { to: "/projects/$project/iterations", label: "Iterations", icon: "iterations", key: "go.iterations" },
      { to: "/projects/$project/leaderboard", label: "Leaderboard", icon: "leaderboard", key: "go.leaderboard" },
      { to: "/projects/$project/judges", label: "Judges", icon: "judges", key: "go.judges" },
      { to: "/projects/$project/playground", label: "Playground", icon: "playground" },
    ],
  },
  {
    group: "Look",
    entries: [
      { to: "/projects/$project/traces", label: "Traces", icon: "traces", key: "go.traces" },
      { to: "/projects/$project/conversations", label: "Conversations", icon: "conversations", key: "go.conversations" },
    ],
  },
  {
    group: "People",
    entries: [
      { to: "/projects/$project/review", label: "Review", icon: "review", key: "go.review" },
      { to: "/projects/$project/review/agreement", label: "Agreement", icon: "agreement" },
    ],
  },
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

import { Link } from "@tanstack/react-router"
import type { QueueRow } from "../../api/review"

type Source = Pick<QueueRow, "trace_id" | "run_id" | "experiment_id" | "experiment_name">

/** Where a card comes from, for those who may see it. */
export function Origin({ card, project }: { card: Source; project: string }) {
  if (card.run_id && card.experiment_id) {
    return (
      <Link to="/projects/$project/experiments/$experiment" params={{ project, experiment: card.experiment_id }} search={{ run: card.run_id }}>
        Run of {card.experiment_name ?? "an experiment"}
      </Link>
    )
  }
  if (!card.trace_id) return null
  return (
    <Link to="/projects/$project/traces/$trace" params={{ project, trace: card.trace_id }}>
      Trace
    </Link>
  )
}

import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { asProblem } from "../../api/problem"
import type { Summary } from "../../api/experiments"
import { siblingsQuery } from "../../api/experiments"
import { Dialog } from "../../parts/Dialog"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import styles from "./Experiment.module.css"

/** The other experiments over the same dataset; what came just before this one stands first. */
export function CompareWith({ project, summary, onClose }: { project: string; summary: Summary; onClose: () => void }) {
  const { data, error, refetch } = useQuery(siblingsQuery(project, summary.dataset_id))
  const others = (data?.items ?? []).filter((one) => one.id !== summary.experiment_id)
  const before = others.filter((other) => other.created_at <= summary.created_at)
  const after = others.filter((other) => other.created_at > summary.created_at)
  return (
    <Dialog title="Compare with" onClose={onClose}>
      {error && <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="the experiments" />}
      {data && others.length === 0 && <p>No other experiment ran over this dataset yet.</p>}
      <ul className={styles.others}>
        {[...before, ...after].map((other) => (
          <li key={other.id}>
            <Link
              to="/projects/$project/compare/$base/$candidate"
              params={{ project, base: other.id, candidate: summary.experiment_id }}
            >
              <Characters text={other.name} />
            </Link>{" "}
            <span className="mute">
              <Time at={other.created_at} />
              {other.id === before[0]?.id && ", the one before"}
            </span>
          </li>
        ))}
      </ul>
      {data && data.next_cursor !== null && <p className="mute">The newest {data.items.length} of more.</p>}
    </Dialog>
  )
}

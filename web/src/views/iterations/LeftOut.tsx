import { Link } from "@tanstack/react-router"
import type { IterationComparison } from "../../api/iterations"
import { Characters } from "../../parts/Text"
import { countText, countWords } from "../../words/format"
import { filterOf, signalName } from "./groupQuestion"
import styles from "./IterationGroups.module.css"

interface Props {
  shown: IterationComparison
  project: string
  state: { source?: string; rubric?: string }
  by: string
}

/** How large both groups are, what is in no mean, and why. */
export function LeftOut({ shown, project, state, by }: Props) {
  const filter = filterOf(by)
  const iterations = shown.base.n_iterations + shown.compare.n_iterations
  return (
    <section className={styles.part} aria-labelledby="left-out-head">
      <h2 id="left-out-head">What was compared, and what was left out</h2>
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Both groups">
        <table className={styles.groups}>
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col">Iterations</th>
              <th scope="col">{shown.cluster_by === "task" ? "Tasks" : "Sessions"}</th>
              <th scope="col">Left out: provisional</th>
            </tr>
          </thead>
          <tbody>
            {[shown.base, shown.compare].map((group) => (
              <tr key={group.name}>
                <th scope="row">
                  {filter === undefined ? (
                    <Characters text={group.name} />
                  ) : (
                    <Link to="/projects/$project/iterations" params={{ project }} search={{ source: state.source, rubric: state.rubric, [filter]: group.name } as never}>
                      <Characters text={group.name} />
                    </Link>
                  )}
                </th>
                <td>{countText(group.n_iterations)}</td>
                <td>{countText(group.n_clusters)}</td>
                <td>{countText(group.n_provisional)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.notes.length > 0 && (
        <ul className={styles.notes}>
          {shown.notes.map((note) => (
            <li key={note}>
              <Characters text={note.replaceAll(/`(outcome[\w.]*)`/g, (_, scorer: string) => `the ${signalName(scorer)}`).replaceAll("`", "")} />
            </li>
          ))}
        </ul>
      )}
      <p className="mute">
        {shown.rubric_version !== null && `Both groups are by rubric ${shown.rubric_version}. `}
        {iterations > 0 &&
          `Iterations of one ${shown.cluster_by} stand together: ${countWords(shown.base.n_clusters + shown.compare.n_clusters, shown.cluster_by)} are the evidence, not ${countWords(iterations, "iteration")}.`}
      </p>
    </section>
  )
}

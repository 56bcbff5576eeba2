import type { Leaderboard } from "../../api/leaderboard"
import { Characters } from "../../parts/Text"
import { metricText } from "./boards"
import styles from "./Leaderboard.module.css"

/** What the benchmark's family measures besides success: a table for each group of its metrics, with the agents that have some. */
export function Metrics({ board }: { board: Leaderboard }) {
  const families = board.families ?? []
  if (families.length === 0) {
    return (
      <p>
        There are no metrics besides the scores: these runs are not a benchmark's. Runs that <code>gnomon bench push</code> sent have those of their
        family.
      </p>
    )
  }
  return (
    <div className={styles.part}>
      {families.flatMap((family) =>
        family.groups.map((group) => {
          const metrics = family.metrics.filter((metric) => metric.group === group.name && metric.kind !== "labels")
          if (metrics.length === 0) return null
          const agents = board.agents.filter((agent) => metrics.some((metric) => agent.metrics?.[metric.name] !== undefined))
          const title = families.length === 1 ? group.label : `${family.family}: ${group.label}`
          return (
            <section key={`${family.family} ${group.name}`} className={styles.part} aria-label={title}>
              <h3>{title}</h3>
              <p className="mute">{group.description}</p>
              <div className={styles.scroll} tabIndex={0} role="group" aria-label={`Table of ${title}`}>
                <table className={styles.table}>
                  <thead>
                    <tr>
                      <th scope="col">agent</th>
                      {metrics.map((metric) => (
                        <th key={metric.name} scope="col" title={metric.description}>
                          {metric.label}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {agents.map((agent) => (
                      <tr key={agent.agent_id}>
                        <th scope="row">
                          <Characters text={agent.agent_id} />
                        </th>
                        {metrics.map((metric) => (
                          <td key={metric.name} data-long={metric.kind === "label" || undefined}>
                            <Characters text={metricText(agent.metrics?.[metric.name])} />
                          </td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </section>
          )
        }),
      )}
    </div>
  )
}

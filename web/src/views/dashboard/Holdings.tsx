import { Link } from "@tanstack/react-router"
import type { Dashboard } from "../../api/dashboard"
import { Evidence } from "../../parts/Evidence"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { countText } from "../../words/format"
import css from "./Dashboard.module.css"

const STATUSES = ["created", "running", "completed"] as const

/** Experiments by status, and the datasets that were changed last. */
export function Holdings({ project, data }: { project: string; data: Dashboard }) {
  const counts = data.experiments
  return (
    <div className={css.holdings}>
      <section className={css.section} aria-labelledby="experiments">
        <h2 id="experiments">Experiments</h2>
        <dl className={css.statuses}>
          {STATUSES.map((status) => (
            <div key={status}>
              <dt>{status}</dt>
              <dd>
                <Evidence
                  to="/projects/$project/experiments"
                  params={{ project }}
                  search={{ status } as never}
                  behind={`the ${status} experiments`}
                >
                  {countText(counts[`${status}_count`])}
                </Evidence>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section className={css.section} aria-labelledby="datasets">
        <h2 id="datasets">
          Datasets <span className={css.aside}>by last change</span>
        </h2>
        {data.datasets.length === 0 ? (
          <p className="mute">No dataset yet.</p>
        ) : (
          <table className={css.datasets}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" className="number">Items</th>
                <th scope="col" className="number">Version</th>
                <th scope="col" className="number">Changed</th>
              </tr>
            </thead>
            <tbody>
              {data.datasets.map((dataset) => (
                <tr key={dataset.id}>
                  <th scope="row">
                    <Link to="/projects/$project/datasets/$dataset" params={{ project, dataset: dataset.id }}>
                      <Characters text={dataset.name} />
                    </Link>
                  </th>
                  <td className="number">{countText(dataset.item_count)}</td>
                  <td className="number">{countText(dataset.version)}</td>
                  <td className="number">
                    <Time at={dataset.updated_at} short />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </div>
  )
}

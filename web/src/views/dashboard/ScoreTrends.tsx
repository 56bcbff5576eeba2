import { useNavigate } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { BASE } from "../../address"
import type { Dashboard, ExperimentPoint } from "../../api/dashboard"
import type { Page } from "../../api/queries"
import { Loading } from "../../parts/Loading"
import { Trend } from "../../plots/Trend"
import { useWidth } from "../../plots/useWidth"
import { countText, countWords, type Ends } from "../../words/format"
import { dateText } from "../../words/time"
import css from "./Dashboard.module.css"
import { axisOf, seriesOf, type SeriesPoint, timesOf, withoutNumbers } from "./trends"

const FIRST_SHOWN = 6
const LEAST = 260
const GAP = 24

interface Props {
  project: string
  trends: Page<ExperimentPoint> | undefined
  datasets: Dashboard["datasets"]
}

/** One small picture per scorer, all on the same axes. */
export function ScoreTrends({ project, trends, datasets }: Props) {
  const [ref, width] = useWidth<HTMLDivElement>(960, 2400)
  const [all, setAll] = useState(false)
  const navigate = useNavigate()
  const names = useMemo(() => new Map(datasets.map((dataset) => [dataset.id, dataset.name])), [datasets])
  const series = useMemo(() => seriesOf(trends?.items ?? [], names), [trends, names])
  if (!trends) return <Loading what="the trends" rows={4} />
  if (trends.items.length === 0) return null
  const columns = Math.max(1, Math.floor((width + GAP) / (LEAST + GAP)))
  const each = Math.floor((width - GAP * (columns - 1)) / columns)
  const times = timesOf(series)
  const labels = withoutNumbers(trends.items)
  const shown = all ? series : series.slice(0, FIRST_SHOWN)
  return (
    <section className={css.section} aria-labelledby="score-trends">
      <h2 id="score-trends">Score trends</h2>
      <p className="mute">
        {trends.next_cursor === null ? `${countWords(trends.items.length, "completed experiment")}` : `The last ${countText(trends.items.length)} completed experiments`}
        ; lines join experiments on the same dataset.
        {labels.length > 0 && ` Without a trend, as labels have no mean: ${labels.join(", ")}.`}
      </p>
      <div ref={ref} className={css.trends} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {shown.map(({ scorer, points, caption }) => (
          <Trend
            key={scorer}
            name={scorer}
            width={each}
            height={84}
            {...axisProps(caption, points, times)}
            points={points.map((point) => ({
              ...point,
              href: `${BASE}/projects/${encodeURIComponent(project)}/experiments/${point.experiment}?scorer=${encodeURIComponent(scorer)}`,
              onOpen: () =>
                void navigate({
                  to: "/projects/$project/experiments/$experiment",
                  params: { project, experiment: point.experiment },
                  search: { scorer } as never,
                }),
            }))}
          />
        ))}
      </div>
      {series.length > FIRST_SHOWN && (
        <button type="button" data-kind="link" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${countWords(series.length, "scorer")}`}
        </button>
      )}
    </section>
  )
}

/** A picture with a time axis of its own says on which day that is. */
function axisProps(caption: string, points: readonly SeriesPoint[], common: Ends | undefined): { times?: Ends; caption: string } {
  const times = axisOf(points, common)
  if (times === undefined) return { caption }
  return { times, caption: times === common ? caption : `${caption}; all on ${dateText(times[0])}` }
}

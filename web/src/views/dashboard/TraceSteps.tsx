import { useNavigate } from "@tanstack/react-router"
import { useMemo } from "react"
import type { TraceTrends } from "../../api/dashboard"
import { Loading } from "../../parts/Loading"
import { Steps } from "../../plots/Steps"
import { useWidth } from "../../plots/useWidth"
import { countWords } from "../../words/format"
import { momentText } from "../../words/time"
import css from "./Dashboard.module.css"

/** Traces over time. A bucket leads to its traces. */
export function TraceSteps({ project, trends }: { project: string; trends: TraceTrends | undefined }) {
  const [ref, width] = useWidth<HTMLDivElement>(960, 2400)
  const navigate = useNavigate()
  const buckets = useMemo(() => bucketsOf(trends), [trends])
  if (!trends) return <Loading what="traces over time" rows={5} />
  const range = (from: number, to: number): void => {
    const search = { after: new Date(from).toISOString(), before: new Date(to).toISOString() } as never
    void navigate({ to: "/projects/$project/traces", params: { project }, search })
  }
  const total = buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  const caption = `${countWords(total, "trace")} since ${momentText(trends.after)}, per ${trends.bucket}; the error rate with its 95 % interval`
  return (
    <section className={css.section} aria-labelledby="traces-over-time">
      <h2 id="traces-over-time">Traces over time</h2>
      <div ref={ref}>
        <Steps noun="trace" buckets={buckets} caption={caption} width={width} onRange={range} />
      </div>
    </section>
  )
}

function bucketsOf(trends: TraceTrends | undefined) {
  const starts = trends?.buckets.map((bucket) => Date.parse(bucket.start)) ?? []
  const end = trends ? Date.parse(trends.before) : 0
  return (trends?.buckets ?? []).map((bucket, at) => ({
    from: starts[at] as number,
    to: starts[at + 1] ?? end,
    count: bucket.count,
    errors: bucket.error_count,
  }))
}

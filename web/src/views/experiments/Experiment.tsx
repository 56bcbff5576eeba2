import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useState } from "react"
import { SHARE } from "../../address"
import type { Summary } from "../../api/experiments"
import { histogramQuery, summaryQuery } from "../../api/experiments"
import { asProblem, blocks } from "../../api/problem"
import { useKeys, withKey } from "../../keys"
import { ToggleFilter } from "../../parts/Filters"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Tabs } from "../../parts/Tabs"
import { Share } from "../../parts/Share"
import { scorerRow } from "../../parts/summaryFigures"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { ViewLink } from "../../parts/ViewLink"
import { Forest } from "../../plots/Forest"
import { useWidth } from "../../plots/useWidth"
import { experimentSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText, countWords, moneyText } from "../../words/format"
import { CompareWith } from "./CompareWith"
import styles from "./Experiment.module.css"
import { Gate } from "./Gate"
import { Runs } from "./Runs"
import { ScorerPanel } from "./ScorerPanel"

/** One experiment: what its scores come to, how they are spread, and the runs behind them. */
export function Experiment() {
  const { project = "", experiment = "" } = useParams({ strict: false })
  const [state, change] = useViewState(experimentSearch)
  const summary = useQuery(summaryQuery(experiment, { missing: state.missing, cluster_by: state.cluster }))
  useTitle(summary.data?.name ?? "Experiment")
  const names = Object.keys(summary.data?.scores_by_scorer ?? {})
  const scorer = state.scorer !== undefined && names.includes(state.scorer) ? state.scorer : names[0]
  const histogram = useQuery(histogramQuery(experiment, scorer))
  useKeys({ "plot.zoom": () => change({ zoom: state.zoom ? undefined : true }) })
  if (blocks(summary)) return <ProblemBox problem={asProblem(summary.error)} onRetry={() => void summary.refetch()} />
  if (!summary.data) return <Loading what="the experiment" rows={12} />
  const chosen = scorer === undefined ? undefined : summary.data.scores_by_scorer[scorer]
  return (
    <div className={styles.page}>
      <Head project={project} summary={summary.data} />
      <div className={styles.top}>
        <AllScorers
          summary={summary.data}
          zoom={state.zoom === true}
          onZoom={(on) => change({ zoom: on || undefined })}
          onOpen={(name) => change({ scorer: name })}
        />
        <Gate experiment={experiment} summary={summary.data} scorer={scorer} zoom={state.zoom === true} />
      </div>
      {scorer !== undefined && chosen !== undefined && (
        <Tabs label="Scorers" tabs={names.map((name) => ({ id: name, label: <Characters text={name} /> }))} value={scorer} onChange={(name) => change({ scorer: name, min: undefined, max: undefined, label: undefined, state: undefined, reason: undefined })}>
          <ScorerPanel
            name={scorer}
            scorer={chosen}
            trials={summary.data.trials}
            histogram={histogram.data}
            zoom={state.zoom === true}
            onFilter={change}
          />
        </Tabs>
      )}
      <Runs project={project} experiment={experiment} scorers={names} scorer={scorer} state={state} change={change} />
    </div>
  )
}

function Head({ project, summary }: { project: string; summary: Summary }) {
  const [open, setOpen] = useState(false)
  const [comparing, setComparing] = useState(false)
  const cost = summary.cost
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h1>
          <Characters text={summary.name} />
        </h1>
        {SHARE === undefined && (
          <button type="button" onClick={() => setComparing(true)}>
            Compare with…
          </button>
        )}
        <Share project={project} noun="experiment" />
      </div>
      <p className={styles.facts}>
        <span>{summary.status}</span>
        <span>
          {countText(summary.run_count)} of {countWords(summary.expected_run_count, "run")}
        </span>
        <span>
          {countWords(summary.expected_item_count, "item")} × {countWords(summary.trials, "trial")}
        </span>
        {summary.failed_run_count > 0 && <span className={styles.failed}>✕ {countText(summary.failed_run_count)} failed</span>}
        <ViewLink to="/projects/$project/datasets/$dataset" params={{ project, dataset: summary.dataset_id }} search={{ version: summary.dataset_version } as never}>
          dataset, version {summary.dataset_version}
        </ViewLink>
        <Time at={summary.completed_at ?? summary.created_at} />
        {cost && <span title={`of ${countWords(cost.traced_run_count, "run")} with a stored trace`}>{costWords(cost)}</span>}
        {summary.metadata && (
          <button type="button" data-kind="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            metadata
          </button>
        )}
      </p>
      {open && (
        <pre className={styles.metadata} tabIndex={0} aria-label="Metadata">
          <Characters text={JSON.stringify(summary.metadata, null, 2)} />
        </pre>
      )}
      {comparing && <CompareWith project={project} summary={summary} onClose={() => setComparing(false)} />}
      {summary.stopping && <p className={styles.note}>Stopped early: {summary.stopping.text}. The intervals hold at every look.</p>}
    </header>
  )
}

function costWords(cost: NonNullable<Summary["cost"]>): string {
  if (cost.usd !== null) return moneyText(cost.usd)
  return cost.known_usd > 0 ? `more than ${moneyText(cost.known_usd)}` : "cost unknown"
}

interface AllProps {
  summary: Summary
  zoom: boolean
  onZoom: (on: boolean) => void
  onOpen: (name: string) => void
}

function AllScorers({ summary, zoom, onZoom, onOpen }: AllProps) {
  const [box, width] = useWidth<HTMLElement>(600, 640)
  const rows = Object.entries(summary.scores_by_scorer)
    .filter(([, one]) => one.mean !== null || one.label_shares === null || one.label_shares === undefined)
    .map(([name, scorer]) => scorerRow(name, scorer, summary, { onOpen: () => onOpen(name) }))
  const isScored = Object.keys(summary.scores_by_scorer).length > 0
  return (
    <section aria-label="All scorers" ref={box}>
      {!isScored && <p>No run has a score yet. Score them with `gnomon score`, or send scores with the runs.</p>}
      {isScored && rows.length === 0 && <p className="mute">These scorers give labels; see their shares below.</p>}
      {rows.length > 0 && <Forest rows={rows} noun="scorer" width={width} zoom={zoom} />}
      {rows.length > 0 && <ToggleFilter label={withKey("Zoom the axis", "plot.zoom")} on={zoom} onChange={onZoom} />}
    </section>
  )
}

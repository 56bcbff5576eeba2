import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { SHARE } from "../../address"
import type { LeanRun } from "../../api/experiments"
import { leanRunsQuery } from "../../api/experiments"
import type { Leaderboard, LeaderboardAgent } from "../../api/leaderboard"
import { asProblem } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { ViewLink } from "../../parts/ViewLink"
import { countWords, intervalText, moneyText, scoreText } from "../../words/format"
import { metricText } from "./boards"
import styles from "./Leaderboard.module.css"

interface Props {
  project: string
  agent: LeaderboardAgent
  families: NonNullable<Leaderboard["families"]>
  scorer: string | undefined
  onClose: () => void
}

/** One agent: where its numbers come from, what it is measured by, and its runs. */
export function AgentPanel({ project, agent, families, scorer, onClose }: Props) {
  const experiments = agent.experiments ?? []
  const [picked, setPicked] = useState<string>()
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    head.current?.scrollIntoView({ block: "start" })
    head.current?.focus({ preventScroll: true })
  }, [agent.agent_id])
  const experiment = experiments.find((experiment) => experiment.id === picked) ?? experiments[0]
  const metrics = families.flatMap((family) => family.metrics.filter((metric) => metric.kind !== "labels" && agent.metrics?.[metric.name] !== undefined))
  return (
    <section className={styles.panel} aria-labelledby="agent-head">
      <div className={styles.line}>
        <h2 id="agent-head" ref={head} tabIndex={-1}>
          <Characters text={agent.agent_id} />
        </h2>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <p className={styles.facts}>
        <span>
          score {scoreText(agent.overall_score)} ({intervalText(agent.confidence_interval as [number, number] | null)})
        </span>
        <span>{countWords(agent.run_count, "run")}</span>
        {agent.cost && <span>{moneyText(agent.cost.per_run)} per run</span>}
        {metrics.map((metric) => (
          <span key={metric.name} title={metric.description}>
            {metric.label} {metricText(agent.metrics?.[metric.name])}
          </span>
        ))}
      </p>
      <div className={styles.facts}>
        {experiments.map((each) => (
          <span key={each.id}>
            {experiments.length > 1 && SHARE === undefined && (
              <button type="button" aria-pressed={each.id === experiment?.id} onClick={() => setPicked(each.id)}>
                Runs
              </button>
            )}{" "}
            <ViewLink to="/projects/$project/experiments/$experiment" params={{ project, experiment: each.id }}>
              Experiment <Characters text={each.name} />
            </ViewLink>
          </span>
        ))}
      </div>
      {experiment && SHARE === undefined && <Runs project={project} experiment={experiment.id} scorer={scorer} />}
    </section>
  )
}

function Runs({ project, experiment, scorer }: { project: string; experiment: string; scorer: string | undefined }) {
  // The lowest first: a run that went wrong is what one comes here for.
  const [sort, setSort] = useState<string>()
  const order = sort ?? (scorer === undefined ? "item" : "score")
  const list = useInfiniteQuery(leanRunsQuery(experiment, { sort: order, scorer_name: scorer }))
  if (list.error) return <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
  const columns: Column<LeanRun>[] = [
    { id: "item", head: "Item", width: 200, grow: 2, sort: "item", cell: (run) => <Characters text={(run.input ?? run.dataset_item_id).slice(0, 120)} /> },
    { id: "trial", head: "Trial", width: 56, align: "end", cell: (run) => run.trial + 1 },
    { id: "score", head: <Characters text={scorer ?? "score"} />, width: 112, align: "end", ...(scorer === undefined ? {} : { sort: "score", first: "ascending" as const }), cell: (run) => scoreOf(run, scorer) },
    {
      id: "transcript",
      head: "Transcript",
      width: 120,
      cell: (run) =>
        run.trace_id === null ? (
          <span className="mute">no trace</span>
        ) : (
          <Link to="/projects/$project/leaderboard/runs/$run" params={{ project, run: run.id }} >
            Read it<span className="hidden-text"> (transcript of {run.input ?? run.id}, trial {run.trial + 1})</span>
          </Link>
        ),
    },
  ]
  return (
    <Table
      label="Runs of the agent"
      rows={rowsOf(list.data)}
      rowKey={(run) => run.id}
      columns={columns}
      sort={order}
      onSort={setSort}
      busy={list.isPlaceholderData}
      dense
      more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage() }}
    />
  )
}

function scoreOf(run: LeanRun, scorer: string | undefined): string {
  const score = run.scores.find((score) => score.scorer_name === scorer)
  if (run.error) return "✕ failed"
  return typeof score?.value === "number" ? scoreText(score.value) : (score?.state ?? "–")
}

import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { SERVER } from "../../address"
import { asProblem, blocks } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { dequeue } from "../../api/review"
import type { TraceRow } from "../../api/traces"
import { facetsQuery, PAGE, skeletonQuery, tracesQuery } from "../../api/traces"
import { useWrite } from "../../api/write"
import { useKeys } from "../../keys"
import { announce } from "../../live"
import { NothingMatches, NothingYet } from "../../parts/Empty"
import { Filters, SelectFilter, TextFilter, TimeFilter, ToggleFilter } from "../../parts/Filters"
import { ProblemBox } from "../../parts/Problem"
import { RangeFilter } from "../../parts/RangeFilter"
import { Table } from "../../parts/Table"
import { ToQueue } from "../../parts/ToQueue"
import { tracesSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText } from "../../words/format"
import { Arrived } from "./Arrived"
import { columnsOf } from "./columns"
import { Facets } from "./Facets"
import { ALL_TIME, chipsOf, cleared, filterOf, orderOf } from "./filters"
import { Peek } from "./Peek"
import styles from "./Traces.module.css"
import { useArrivals } from "./useArrivals"

export function Traces() {
  useTitle("Traces")
  const { project = "" } = useParams({ strict: false })
  const [state, change] = useViewState(tracesSearch)
  const [now] = useState(() => Date.now())
  const filter = useMemo(() => filterOf(project, state, now), [project, state, now])
  const order = orderOf(state.sort)
  const sorted = order === undefined ? filter : { ...filter, sort: order }
  const query = tracesQuery(sorted)
  const list = useInfiniteQuery(query)
  const facets = useQuery(facetsQuery(filter))
  const arrivals = useArrivals(query.queryKey, sorted, state.live === true)
  const rows = rowsOf(list.data)
  const chips = chipsOf(state, change)
  const clear = (): void => change(cleared(state))
  const queue = useQueueing(project)
  const peeked = usePeeked(project, state.peek, rows)
  useKeys({ "step.out": () => change({ peek: undefined }) }, { on: peeked !== undefined })
  const navigate = useNavigate()
  const open = (row: TraceRow): void => {
    if (row.id === state.peek) {
      void navigate({ to: "/projects/$project/traces/$trace", params: { project, trace: row.id } })
    } else change({ peek: row.id })
  }
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>Traces</h1>
        <Arrived count={arrivals.count} all={arrivals.all} onShow={arrivals.show} />
        <Total total={facets.data?.total} capped={facets.data?.total_capped ?? false} always={state.after === ALL_TIME} />
      </div>
      <Filters label="Filter the traces" active={chips} onClear={clear}>
        <TextFilter label="Words in the root span" find wide value={state.q} onChange={(q) => change({ q })} />
        <TimeFilter after={state.after ?? (state.before === undefined ? "30d" : undefined)} before={state.before}
          onChange={({ after, before }) => change({ after: after === undefined && before === undefined ? ALL_TIME : after, before })} />
        <RangeFilter label="Duration (ms)" low={state.min_duration} high={state.max_duration}
          onChange={(min_duration, max_duration) => change({ min_duration, max_duration })} />
        <ScorerFilter rows={rows} state={state} change={change} />
        <ToggleFilter label="Errors only" on={state.error === true} onChange={(on) => change({ error: on || undefined })} />
        <ToggleFilter label="Live" on={state.live === true} onChange={(on) => change({ live: on || undefined })} />
      </Filters>
      {queue.problem && <ProblemBox problem={queue.problem} onRetry={queue.retry} />}
      {queue.adding && <ToQueue project={project} target={{ type: "trace", id: queue.adding.id }} onClose={queue.close} />}
      {blocks(list) ? (
        <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : rows?.length === 0 && !list.hasNextPage ? (
        chips.length > 0 ? <NothingMatches what="traces" filters={chips} onClear={clear} /> : <NoTraces project={project} />
      ) : (
        <div className={peeked ? `${styles.layout} ${styles.withPeek}` : styles.layout}>
          {facets.data ? <Facets facets={facets.data} state={state} onChange={change} /> : <div aria-hidden="true" />}
          <Table
            label="Traces"
            rows={rows}
            rowKey={(row) => row.id}
            columns={columnsOf({ project, onQueue: queue.toggle, busyId: queue.busyId })}
            sort={state.sort ?? "-age"}
            onSort={(sort) => change({ sort: orderOf(sort) === undefined ? (`-${sort.replace("-", "")}` as never) : (sort as never) })}
            onOpen={open}
            openKey={state.peek}
            busy={list.isPlaceholderData}
            top={arrivals.shown}
            more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage(), size: PAGE }}
          />
          {peeked && <Peek row={peeked} project={project} onClose={() => change({ peek: undefined })} />}
        </div>
      )}
    </div>
  )
}

/** The trace that the address names, also where the list does not show it (any more). */
function usePeeked(project: string, id: string | undefined, rows: TraceRow[] | undefined): TraceRow | undefined {
  const listed = rows?.find((row) => row.id === id)
  const enabled = id !== undefined && rows !== undefined && listed === undefined
  const other = useQuery({ ...skeletonQuery(project, id ?? ""), enabled })
  return listed ?? (enabled ? other.data?.trace : undefined)
}

function useQueueing(project: string) {
  const [row, setRow] = useState<TraceRow>()
  const leave = useWrite((id: string) => dequeue(project, { type: "trace", id }), {
    changes: [["traces"], ["review"]],
    onDone: () => announce("Taken out of the review queue."),
  })
  const toggle = (chosen: TraceRow): void => {
    setRow(chosen)
    if (chosen.in_queue) leave.run(chosen.id)
  }
  const close = (): void => setRow(undefined)
  return { toggle, close, adding: row?.in_queue ? undefined : row, busyId: leave.busy ? row?.id : undefined, problem: leave.problem, retry: leave.retry }
}

function Total({ total, capped, always }: { total: number | undefined; capped: boolean; always: boolean }) {
  if (total === undefined) return null
  return (
    <p className="mute" role="status">
      {countText(total)}
      {capped ? " or more" : ""} {total === 1 ? "trace" : "traces"}
      {always ? "" : " in this range"}
    </p>
  )
}

interface ScorerProps {
  rows: TraceRow[] | undefined
  state: { scorer?: string; min?: number; max?: number }
  change: (patch: { scorer?: string | undefined; min?: number | undefined; max?: number | undefined }) => void
}

/** Traces by a score: the scorers are those of the rows in sight, and the one that is chosen. */
function ScorerFilter({ rows, state, change }: ScorerProps) {
  const seen = new Set(rows?.flatMap((row) => (row.scores ?? []).map((score) => score.scorer_name)))
  if (state.scorer !== undefined) seen.add(state.scorer)
  if (seen.size === 0) return null
  return (
    <>
      <SelectFilter
        label="Scorer"
        value={state.scorer}
        options={[...seen].sort().map((name) => ({ value: name, label: name }))}
        onChange={(scorer) => change({ scorer, min: undefined, max: undefined })}
      />
      {state.scorer !== undefined && (
        <RangeFilter label="Score" low={state.min} high={state.max} step={0.05} onChange={(min, max) => change({ min, max })} />
      )}
    </>
  )
}

function NoTraces({ project }: { project: string }) {
  const command = [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${SERVER}`,
    `export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20YOUR_KEY"`,
    `export OTEL_RESOURCE_ATTRIBUTES="gnomon.project=${project}"`,
  ].join("\n")
  return (
    <NothingYet title="No traces yet" command={command}>
      A trace is what one request of your application did, step by step. An application that speaks OpenTelemetry needs these
      variables in its environment, with a key of this project.
    </NothingYet>
  )
}

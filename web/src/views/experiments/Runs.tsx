import { useInfiniteQuery } from "@tanstack/react-query"
import type { LeanRun } from "../../api/experiments"
import { leanRunsQuery } from "../../api/experiments"
import { asProblem, blocks } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { NothingMatches } from "../../parts/Empty"
import { Filters, TextFilter, ToggleFilter } from "../../parts/Filters"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { scoreText } from "../../words/format"
import styles from "./Experiment.module.css"
import { RunPanel } from "./RunPanel"
import type { RunsPatch, RunsState } from "./runsFilter"
import { NO_FILTER, runsChips, runsFilter } from "./runsFilter"

interface Props {
  project: string
  experiment: string
  scorers: readonly string[]
  scorer: string | undefined
  state: RunsState
  change: (patch: RunsPatch) => void
}

/** The runs behind the numbers, each opened in place. */
export function Runs({ project, experiment, scorers, scorer, state, change }: Props) {
  const filter = runsFilter(state, scorer)
  const list = useInfiniteQuery(leanRunsQuery(experiment, filter))
  const rows = rowsOf(list.data)
  const chips = runsChips(state, scorer, change)
  const clear = (): void => change(NO_FILTER)
  return (
    <section className={styles.runs} aria-labelledby="runs-head">
      <h2 id="runs-head">Runs</h2>
      <Filters label="Filter the runs" active={chips} onClear={clear}>
        <TextFilter label="Text in input, output or expected" find wide value={state.q} onChange={(q) => change({ q })} />
        <ToggleFilter label="Failed only" on={state.error === true} onChange={(on) => change({ error: on || undefined })} />
      </Filters>
      {blocks(list) ? (
        <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : rows?.length === 0 && !list.hasNextPage ? (
        chips.length > 0 ? <NothingMatches what="runs" filters={chips} onClear={clear} /> : <p>There are no runs yet.</p>
      ) : (
        <Table
          label="Runs"
          rows={rows}
          rowKey={(run) => run.id}
          columns={columnsOf(scorers, scorer)}
          sort={state.sort ?? "item"}
          onSort={(sort) => change({ sort })}
          onOpen={(run) => change({ run: state.run === run.id ? undefined : run.id })}
          openKey={state.run}
          detail={(run) => <RunPanel project={project} run={run} />}
          busy={list.isPlaceholderData}
          more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage() }}
        />
      )}
    </section>
  )
}

const SHOWN_SCORERS = 4

function columnsOf(scorers: readonly string[], chosen: string | undefined): Column<LeanRun>[] {
  const shown = [...new Set(chosen === undefined ? scorers : [chosen, ...scorers])].slice(0, SHOWN_SCORERS)
  return [
    { id: "input", head: "Input", width: 150, grow: 2, sort: "item", cell: (run) => <Cell text={run.input} absent="no input" /> },
    { id: "output", head: "Output", width: 150, grow: 2, cell: (run) => <Output run={run} /> },
    { id: "expected", head: "Expected", width: 110, grow: 1, cell: (run) => <Cell text={run.expected_output} absent="none" /> },
    { id: "trial", head: "Trial", width: 48, align: "end", cell: (run) => run.trial + 1 },
    ...shown.map((name): Column<LeanRun> => {
      const sortable = name === chosen ? { sort: "score", first: "ascending" as const } : {}
      return { id: `score-${name}`, head: <Characters text={name} />, width: 104, align: "end", ...sortable, cell: (run) => <ScoreCell run={run} name={name} /> }
    }),
  ]
}

function Cell({ text, absent }: { text: string | null; absent: string }) {
  if (text === null) return <span className="mute">{absent}</span>
  return <Characters text={text.slice(0, 160)} />
}

function Output({ run }: { run: LeanRun }) {
  if (run.error) {
    return (
      <span className={styles.failed}>
        ✕ <Characters text={run.error.message.slice(0, 160)} />
      </span>
    )
  }
  return <Cell text={run.output} absent="no output" />
}

/** The newest score, or why there is none. */
function ScoreCell({ run, name }: { run: LeanRun; name: string }) {
  const score = run.scores.find((score) => score.scorer_name === name)
  if (score === undefined) return <span className="mute" title="no score was submitted">–</span>
  if (score.value === null) {
    return (
      <span className="mute" title={score.reason ?? undefined}>
        {score.state}
      </span>
    )
  }
  return typeof score.value === "number" ? <>{scoreText(score.value)}</> : <Characters text={score.value.slice(0, 40)} />
}

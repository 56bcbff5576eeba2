import { useInfiniteQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { SERVER } from "../../address"
import type { ExperimentRow } from "../../api/experiments"
import { experimentRowsQuery } from "../../api/experiments"
import { asProblem, blocks } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { useKeys, withKey } from "../../keys"
import type { Removable } from "../../parts/Empty"
import { NothingMatches, NothingYet } from "../../parts/Empty"
import { Filters, SelectFilter, TextFilter } from "../../parts/Filters"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { experimentsSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { experimentColumns, scorersOf } from "./experimentColumns"
import styles from "./Experiments.module.css"
import { pickedPair } from "./picking"

const STATUSES = [
  { value: "created", label: "created" },
  { value: "running", label: "running" },
  { value: "completed", label: "completed" },
] as const

export function Experiments() {
  useTitle("Experiments")
  const { project = "" } = useParams({ strict: false })
  const [state, change] = useViewState(experimentsSearch)
  const filter = { project_id: project, dataset_id: state.dataset, status: state.status, q: state.q }
  const list = useInfiniteQuery(experimentRowsQuery(filter))
  const rows = rowsOf(list.data)
  const picked = state.pick ?? []
  const navigate = useNavigate()
  const pair = pickedPair(rows ?? [], picked)
  const compare = (): void => {
    if (pair.problem === undefined && pair.base && pair.candidate) {
      const params = { project, base: pair.base.id, candidate: pair.candidate.id }
      void navigate({ to: "/projects/$project/compare/$base/$candidate", params })
    }
  }
  useKeys({ "compare.ticked": compare }, { on: pair.base !== undefined })
  const clear = (): void => change({ dataset: undefined, status: undefined, q: undefined })
  const chips = chipsOf()
  function chipsOf(): Removable[] {
    const all: [string, string | undefined, () => void][] = [
      ["dataset", state.dataset && "one dataset", () => change({ dataset: undefined })],
      ["status", state.status, () => change({ status: undefined })],
      ["q", state.q && `name with “${state.q}”`, () => change({ q: undefined })],
    ]
    return all.flatMap(([id, label, remove]) => (label === undefined ? [] : [{ id, label, remove }]))
  }
  function tick(row: ExperimentRow): void {
    const next = picked.includes(row.id) ? picked.filter((id) => id !== row.id) : [...picked, row.id].slice(-2)
    change({ pick: next.length > 0 ? next : undefined })
  }
  return (
    <div className={styles.page}>
      <h1>Experiments</h1>
      <Filters label="Filter the experiments" active={chips} onClear={clear}>
        <TextFilter label="Name" find value={state.q} onChange={(q) => change({ q })} />
        <SelectFilter label="Status" value={state.status} options={STATUSES} onChange={(status) => change({ status })} />
      </Filters>
      <PickBar pair={pair} onCompare={compare} onSwap={() => change({ pick: picked.toReversed() })} onClear={() => change({ pick: undefined })} />
      {blocks(list) ? (
        <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : rows?.length === 0 ? (
        chips.length > 0 ? <NothingMatches what="experiments" filters={chips} onClear={clear} /> : <NoExperiments project={project} />
      ) : (
        <Table
          label="Experiments"
          rows={rows}
          rowKey={(row) => row.id}
          columns={experimentColumns(project, scorersOf(rows ?? []))}
          ticked={new Set(picked)}
          onTick={tick}
          onOpen={(row) => void navigate({ to: "/projects/$project/experiments/$experiment", params: { project, experiment: row.id } })}
          busy={list.isPlaceholderData}
          more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage(), size: 20 }}
        />
      )}
    </div>
  )
}

interface PickProps {
  pair: ReturnType<typeof pickedPair>
  onCompare: () => void
  onSwap: () => void
  onClear: () => void
}

/** What the ticks lead to: a comparison, or why there is none. */
function PickBar({ pair, onCompare, onSwap, onClear }: PickProps) {
  if (pair.base === undefined) return <p className="mute">Tick two experiments to compare them.</p>
  return (
    <div className={styles.pick} role="status">
      {pair.candidate === undefined ? (
        <span>
          <b>
            <Characters text={pair.base.name} />
          </b>{" "}
          is ticked; tick another one to compare them.
        </span>
      ) : (
        <span>
          Compare{" "}
          <b>
            <Characters text={pair.candidate.name} />
          </b>{" "}
          with{" "}
          <b>
            <Characters text={pair.base.name} />
          </b>{" "}
          (base). {pair.problem}
        </span>
      )}
      {pair.candidate !== undefined && pair.problem === undefined && (
        <>
          <button type="button" data-kind="main" onClick={onCompare} title={withKey("Compare", "compare.ticked")}>
            Compare
          </button>
          <button type="button" onClick={onSwap}>
            Swap
          </button>
        </>
      )}
      <button type="button" data-kind="plain" onClick={onClear}>
        Untick
      </button>
    </div>
  )
}

function NoExperiments({ project }: { project: string }) {
  const command = [
    "import gnomon as gn",
    "",
    `gn.configure(url="${SERVER}", api_key="YOUR_KEY", project="${project}")`,
    'data = [{"input": "France", "expected_output": "Paris"}]',
    'gn.evaluate(my_application, data, [gn.contains()], name="prompt-v1")',
  ].join("\n")
  return (
    <NothingYet title="No experiments yet" command={command}>
      An experiment runs your application over a dataset and scores every answer.
    </NothingYet>
  )
}

import { useInfiniteQuery } from "@tanstack/react-query"
import { SERVER } from "../../address"
import type { Dataset, DatasetVersion, LeanItem } from "../../api/datasets"
import { itemsQuery, PAGE, versionsQuery } from "../../api/datasets"
import { asProblem } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import type { StateOf } from "../../params"
import { NothingMatches, NothingYet } from "../../parts/Empty"
import { Filters, SelectFilter, TextFilter } from "../../parts/Filters"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import type { datasetSearch } from "../../searches"
import type { Patch } from "../../viewState"
import { countText } from "../../words/format"
import { timeText } from "../../words/time"
import { changesText } from "./changes"
import styles from "./Datasets.module.css"
import type { PanelProps } from "./ItemPanel"
import { ItemPanel } from "./ItemPanel"

export type State = StateOf<typeof datasetSearch>
export type Change = (patch: Patch<typeof datasetSearch>) => void

interface Props {
  dataset: Dataset
  /** The version that is shown, unless it is the newest. */
  old: number | undefined
  state: State
  change: Change
  panel: PanelProps
}

/** The items of a version, newest first, each opened in place. */
export function Items({ dataset, old, state, change, panel }: Props) {
  const version = state.version !== undefined && state.version > dataset.version ? state.version : old
  const list = useInfiniteQuery(itemsQuery(dataset.id, { version, q: state.q }))
  const versions = rowsOf(useInfiniteQuery(versionsQuery(dataset.id)).data)
  const rows = rowsOf(list.data)
  const clear = (): void => change({ q: undefined, version: undefined })
  const chips = [
    ...(old === undefined ? [] : [{ id: "version", label: `version ${countText(old)}`, remove: () => change({ version: undefined }) }]),
    ...(state.q === undefined ? [] : [{ id: "q", label: `text “${state.q}”`, remove: () => change({ q: undefined }) }]),
  ]
  const none = rows?.length === 0 && !list.hasNextPage
  return (
    <div className={styles.part}>
      <Filters label="Filter the items" active={chips} onClear={clear}>
        <TextFilter label="Text in an item" find wide value={state.q} onChange={(q) => change({ q })} />
        <SelectFilter
          label="Version"
          any={`${countText(dataset.version)}, the newest`}
          value={old === undefined ? undefined : String(old)}
          options={optionsOf(versions ?? [], dataset.version)}
          onChange={(value) => change({ version: value === undefined ? undefined : Number(value) })}
        />
      </Filters>
      {list.error ? (
        <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : none && state.q !== undefined ? (
        <NothingMatches what="items" filters={chips} onClear={clear} />
      ) : none ? (
        old === undefined ? <NoItems dataset={dataset} /> : <p>Version {countText(old)} has no items.</p>
      ) : (
        <Table
          label="Items"
          rows={rows}
          rowKey={(item) => item.id}
          columns={COLUMNS}
          onOpen={(item) => change({ item: state.item === item.id ? undefined : item.id })}
          openKey={state.item}
          detail={(item) => <ItemPanel dataset={dataset.id} id={item.id} {...panel} />}
          busy={list.isPlaceholderData}
          more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage(), size: PAGE }}
        />
      )}
    </div>
  )
}

function optionsOf(versions: readonly DatasetVersion[], newest: number) {
  return versions
    .filter((version) => version.version < newest)
    .map((one) => {
      const when = one.created_at === null ? "" : `, ${timeText(one.created_at, Date.now())}`
      return { value: String(one.version), label: `${countText(one.version)}: ${changesText(one)}${when}` }
    })
}

const SHOWN = 160

const COLUMNS: Column<LeanItem>[] = [
  { id: "input", head: "Input", width: 150, grow: 3, cell: (item) => <Characters text={item.input.slice(0, SHOWN)} /> },
  { id: "expected", head: "Expected output", width: 120, grow: 2, cell: (item) => <Cell text={item.expected_output} /> },
  { id: "metadata", head: "Metadata", width: 100, grow: 1, cell: (item) => <Cell text={item.metadata} /> },
  { id: "key", head: "Key", width: 88, cell: (item) => <Cell text={item.key} /> },
  { id: "age", head: "Added", width: 156, align: "end", cell: (item) => <Time at={item.created_at} /> },
]

function Cell({ text }: { text: string | null }) {
  return text === null ? <span className="mute">none</span> : <Characters text={text.slice(0, SHOWN)} />
}

function NoItems({ dataset }: { dataset: Dataset }) {
  const lines = '{"input": "France", "expected_output": "Paris"}'
  const address = `${SERVER}/v1/datasets/${dataset.id}/items/import`
  const command = [
    `echo '${lines}' | curl -X POST ${address} \\`,
    '  -H "Authorization: Bearer YOUR_KEY" -H "Content-Type: application/x-ndjson" --data-binary @-',
  ].join("\n")
  return (
    <NothingYet title="No items yet" command={command}>
      An item is an input with its expected output. Add one, or import a file with the buttons above; or send lines of JSON:
    </NothingYet>
  )
}

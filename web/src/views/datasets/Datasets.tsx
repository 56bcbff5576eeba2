import { useInfiniteQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { SERVER } from "../../address"
import type { DatasetRow } from "../../api/datasets"
import { datasetRowsQuery, PAGE } from "../../api/datasets"
import { asProblem } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { NothingMatches, NothingYet } from "../../parts/Empty"
import { Evidence } from "../../parts/Evidence"
import { Filters, TextFilter } from "../../parts/Filters"
import { Head } from "../../parts/Head"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { WriteButton } from "../../parts/WriteButton"
import { datasetsSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText, countWords } from "../../words/format"
import styles from "./Datasets.module.css"
import { NewDataset } from "./NewDataset"

/** The datasets of a project, newest first. */
export function Datasets() {
  useTitle("Datasets")
  const { project = "" } = useParams({ strict: false })
  const [state, change] = useViewState(datasetsSearch)
  const [making, setMaking] = useState(false)
  const list = useInfiniteQuery(datasetRowsQuery(project, state.q))
  const rows = rowsOf(list.data)
  const navigate = useNavigate()
  const clear = (): void => change({ q: undefined })
  const chips = state.q === undefined ? [] : [{ id: "q", label: `name with “${state.q}”`, remove: clear }]
  const none = rows?.length === 0 && !list.hasNextPage
  return (
    <div className={styles.page}>
      <Head
        title="Datasets"
        about={rows && !none ? `${countWords(rows.length, "dataset")}${list.hasNextPage ? " or more" : ""}, newest first` : undefined}
        actions={
          <WriteButton kind="main" onClick={() => setMaking(true)}>
            New dataset
          </WriteButton>
        }
      />
      {!(none && chips.length === 0) && (
        <Filters label="Filter the datasets" active={chips} onClear={clear}>
          <TextFilter label="Name" find wide value={state.q} onChange={(q) => change({ q })} />
        </Filters>
      )}
      {list.error ? (
        <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : none ? (
        chips.length > 0 ? <NothingMatches what="datasets" filters={chips} onClear={clear} /> : <NoDatasets project={project} />
      ) : (
        <Table
          label="Datasets"
          rows={rows}
          rowKey={(row) => row.id}
          columns={columnsOf(project)}
          onOpen={(row) => void navigate({ to: "/projects/$project/datasets/$dataset", params: { project, dataset: row.id } })}
          busy={list.isPlaceholderData}
          more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage(), size: PAGE }}
        />
      )}
      {making && <NewDataset project={project} onClose={() => setMaking(false)} />}
    </div>
  )
}

function columnsOf(project: string): Column<DatasetRow>[] {
  return [
    {
      id: "name",
      head: "Name",
      width: 140,
      grow: 2,
      cell: (row) => (
        <Link className={styles.name} to="/projects/$project/datasets/$dataset" params={{ project, dataset: row.id }} title={row.name}>
          <Characters text={row.name.slice(0, 120)} />
        </Link>
      ),
    },
    {
      id: "description",
      head: "Description",
      width: 100,
      grow: 3,
      cell: (row) => (row.description ? <Characters text={row.description.slice(0, 200)} /> : <span className="mute">none</span>),
    },
    { id: "items", head: "Items", width: 72, align: "end", title: "In the newest version", cell: (row) => countText(row.item_count) },
    { id: "version", head: "Version", width: 64, align: "end", cell: (row) => countText(row.version) },
    {
      id: "experiments",
      head: "Experiments",
      width: 96,
      align: "end",
      title: "Experiments on it, on any of its versions",
      cell: (row) =>
        row.experiment_count === 0 ? (
          "0"
        ) : (
          <Evidence to="/projects/$project/experiments" params={{ project }} search={{ dataset: row.id } as never} behind={countWords(row.experiment_count, "experiment")}>
            {countText(row.experiment_count)}
          </Evidence>
        ),
    },
    { id: "changed", head: "Last change", width: 156, align: "end", cell: (row) => <Time at={row.updated_at} /> },
  ]
}

function NoDatasets({ project }: { project: string }) {
  const command = [
    "import gnomon as gn",
    "",
    `gn.configure(url="${SERVER}", api_key="YOUR_KEY", project="${project}")`,
    'gn.dataset([{"input": "France", "expected_output": "Paris"}], name="capitals")',
  ].join("\n")
  return (
    <NothingYet title="No datasets yet" command={command}>
      A dataset is a named list of inputs with their expected outputs. Experiments run over it; every change makes a new version. Make one
      with the button above and import a file, or in Python:
    </NothingYet>
  )
}

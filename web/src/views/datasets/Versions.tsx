import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { Dataset, DatasetVersion } from "../../api/datasets"
import { exportPath, PAGE, versionsQuery } from "../../api/datasets"
import { asProblem } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Time } from "../../parts/Time"
import { countText } from "../../words/format"
import styles from "./Datasets.module.css"
import { fileName } from "./files"

/** Every version with what changed in it, newest first. */
export function Versions({ dataset, shown }: { dataset: Dataset; shown: number }) {
  const list = useInfiniteQuery(versionsQuery(dataset.id))
  if (list.error) return <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
  return (
    <div className={styles.part}>
      <p className="mute">Every change makes a version. An experiment keeps to the version that was the newest when it began.</p>
      <Table
        label="Versions"
        rows={rowsOf(list.data)}
        rowKey={(row) => String(row.version)}
        columns={columnsOf(dataset)}
        openKey={String(shown)}
        more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage(), size: PAGE }}
      />
    </div>
  )
}

function columnsOf(dataset: Dataset): Column<DatasetVersion>[] {
  return [
    {
      id: "version",
      head: "Version",
      width: 120,
      cell: (row) => (
        <Link to="." search={{ version: row.version === dataset.version ? undefined : row.version } as never}>
          {countText(row.version)}
          {row.version === dataset.version && ", the newest"}
        </Link>
      ),
    },
    {
      id: "when",
      head: "When",
      width: 170,
      cell: (row) => (row.created_at === null ? <span className="mute">not kept</span> : <Time at={row.created_at} />),
    },
    { id: "added", head: "Added", width: 72, align: "end", cell: (row) => <Count sign="+" value={row.added} tone={styles.added} /> },
    { id: "removed", head: "Removed", width: 72, align: "end", cell: (row) => <Count sign="−" value={row.removed} tone={styles.removed} /> },
    { id: "changed", head: "Changed", width: 72, align: "end", title: "Items whose content was replaced", cell: (row) => <Count sign="" value={row.changed} /> },
    { id: "items", head: "Items then", width: 84, align: "end", cell: (row) => countText(row.item_count) },
    {
      id: "export",
      head: "NDJSON",
      width: 72,
      grow: 1,
      align: "end",
      cell: (row) => (
        <a href={exportPath(dataset.id, row.version)} download={fileName(dataset.name, row.version)}>
          Export<span className="hidden-text"> version {row.version}</span>
        </a>
      ),
    },
  ]
}

function Count({ sign, value, tone }: { sign: string; value: number; tone?: string | undefined }) {
  if (value === 0) return <span className="mute">0</span>
  return (
    <span className={tone}>
      {sign}
      {countText(value)}
    </span>
  )
}

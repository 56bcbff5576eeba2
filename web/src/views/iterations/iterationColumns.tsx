import { Link } from "@tanstack/react-router"
import type { IterationPoint } from "../../api/iterations"
import type { Column } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { withShortCommits } from "../../words/forge"
import { deltaText, scoreText, shareText } from "../../words/format"
import { bandWords, iterationName } from "../../words/iterations"
import styles from "./Iterations.module.css"

/** What can be said of each; a column in which no row has anything is left out. */
export function iterationColumns(project: string, rows: readonly IterationPoint[]): Column<IterationPoint>[] {
  const bandWidth = rows.some((row) => row.provisional) ? 154 : 92
  const columns: (Column<IterationPoint> & { of?: (row: IterationPoint) => string | null })[] = [
    {
      id: "iteration", head: "Iteration", width: 96, align: "end", sort: "iteration", first: "descending",
      cell: (row) => (
        <Link to="/projects/$project/iterations/$iteration" params={{ project, iteration: row.id }} title={`Iteration ${row.iteration}`}>
          {iterationName(row.iteration)}
        </Link>
      ),
    },
    { id: "value", head: "Value", width: 56, align: "end", sort: "value", cell: (row) => (row.value === null ? <span className="mute">none</span> : scoreText(row.value)) },
    { id: "band", head: "Band", width: bandWidth, cell: (row) => <Band band={row.band} provisional={row.provisional} why={row.why_provisional} /> },
    { id: "lost", head: "Lost most by", width: 336, grow: 3, title: "The signal that kept the value down most, and what was found", cell: (row) => <Lost row={row} /> },
    { id: "coverage", head: "Evidence", width: 66, align: "end", title: "How much of the rubric's weight had evidence", cell: (row) => shareText(row.coverage) },
    { id: "date", head: "Date", width: 82, align: "end", of: (row) => row.date, cell: (row) => <Named value={row.date?.slice(0, 10) ?? null} none="no date" /> },
    { id: "task", head: "Task", width: 108, grow: 1, of: (row) => row.task_id, cell: (row) => <Named value={row.task_id} none="no task" /> },
    { id: "session", head: "Session", width: 84, grow: 1, of: (row) => row.session_id, cell: (row) => <Named value={row.session_id} none="no session" /> },
    { id: "agent", head: "Agent", width: 88, of: (row) => row.agent, cell: (row) => <Named value={row.agent} none="not named" /> },
    { id: "model", head: "Model", width: 88, of: (row) => row.model, cell: (row) => <Named value={row.model} none="not named" /> },
  ]
  return columns.filter(({ of }) => of === undefined || rows.some((row) => of(row) !== null))
}

/** A band as shape and word; a provisional one says so. */
export function Band({ band, provisional, why }: { band: string; provisional: boolean; why?: string | null }) {
  const { shape, tone } = bandWords(band)
  return (
    <span title={why ?? undefined} className={styles.band} data-tone={provisional ? "mute" : tone}>
      <span aria-hidden="true">{shape}</span> <Characters text={band} />
      {provisional && band !== "unscored" && <span className="mute"> provisional</span>}
    </span>
  )
}

function Lost({ row }: { row: IterationPoint }) {
  if (row.largest_loss === null) return <span className="mute">{row.value === null ? "no signal had evidence" : "nothing"}</span>
  const { label, signal, lost, detail } = row.largest_loss
  return (
    <span title={detail}>
      {deltaText(-lost)} <Characters text={label || signal} />
      <span className="mute">
        : <Characters text={withShortCommits(detail)} />
      </span>
    </span>
  )
}

function Named({ value, none }: { value: string | null; none: string }) {
  return value === null ? <span className="mute">{none}</span> : <Characters text={value} />
}

/** The newest first unless another order is chosen; without a value comes last. */
export function sorted(rows: readonly IterationPoint[], order: string | undefined): IterationPoint[] {
  const byNumber = (a: IterationPoint, b: IterationPoint): number => a.iteration - b.iteration
  if (order === "iteration") return [...rows].sort(byNumber)
  if (order !== "value" && order !== "-value") return [...rows].sort(byNumber).reverse()
  const sign = order === "value" ? 1 : -1
  const none = sign * Number.POSITIVE_INFINITY
  return [...rows].sort((a, b) => sign * ((a.value ?? none) - (b.value ?? none)) || -byNumber(a, b))
}

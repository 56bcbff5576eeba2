import { useState } from "react"
import type { Imported } from "../../api/datasets"
import { importItems } from "../../api/datasets"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Dialog } from "../../parts/Dialog"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { WriteButton } from "../../parts/WriteButton"
import { bytesText, countText, countWords } from "../../words/format"
import styles from "./Datasets.module.css"
import type { Prepared, Skipped } from "./importing"
import { allSkipped, prepare } from "./importing"

interface Chosen {
  file: File
  prepared?: Prepared
  problem?: string
}

/** Import a file of items. Lines that are no item are skipped, and shown with their reasons. */
export function Import({ dataset, onClose }: { dataset: string; onClose: () => void }) {
  const [chosen, setChosen] = useState<Chosen>()
  const write = useWrite((prepared: Prepared, key) => importItems(dataset, prepared.lines, key), {
    changes: [["dataset", dataset], ["datasets"]],
    onDone: (answer) => announce(`${countWords(answer.imported_count, "item")} imported.`),
  })
  async function choose(file: File | undefined): Promise<void> {
    write.reset()
    if (!file) return setChosen(undefined)
    setChosen({ file })
    try {
      setChosen({ file, prepared: await prepare(file) })
    } catch (error) {
      setChosen({ file, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  const prepared = chosen?.prepared
  const nothing = prepared?.lineOf?.length === 0 ? "No row of the file can be read." : undefined
  return (
    <Dialog
      title="Import items"
      onClose={onClose}
      wide
      actions={
        write.done ? undefined : (
          <WriteButton
            kind="main"
            busy={write.busy}
            refused={prepared === undefined ? "Choose a file first." : nothing}
            onClick={() => prepared && write.run(prepared)}
          >
            {write.busy ? "Importing…" : "Import"}
          </WriteButton>
        )
      }
    >
      {write.done && prepared ? (
        <Done prepared={prepared} imported={write.done} />
      ) : (
        <>
          <label className={styles.field}>
            File
            <input type="file" accept=".ndjson,.jsonl,.json,.csv,.tsv" onChange={(event) => void choose(event.target.files?.[0])} />
          </label>
          <Formats />
          {chosen?.problem !== undefined && (
            <p role="alert" className={styles.problem}>
              <span aria-hidden="true">✕ </span>
              <Characters text={chosen.problem} />
            </p>
          )}
          {chosen && !prepared && chosen.problem === undefined && <Loading what="the file" rows={1} />}
          {chosen && prepared && <Preview file={chosen.file} prepared={prepared} />}
          {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} />}
        </>
      )}
    </Dialog>
  )
}

function Formats() {
  return (
    <dl className={styles.formats}>
      <div>
        <dt>NDJSON</dt>
        <dd>
          One object per line, of any number: <code>{'{"input": …, "expected_output": …, "metadata": {…}, "key": "…"}'}</code>
        </dd>
      </div>
      <div>
        <dt>CSV</dt>
        <dd>
          The first line names the columns: <code>input</code>, <code>expected_output</code>, <code>key</code>, <code>metadata</code>{" "}
          (JSON). Other columns become metadata.
        </dd>
      </div>
    </dl>
  )
}

function Preview({ file, prepared }: { file: File; prepared: Prepared }) {
  const rows = prepared.lineOf?.length
  return (
    <>
      <p role="status">
        {prepared.format}, {bytesText(file.size)}
        {rows !== undefined && `: ${countWords(rows, "row")} can be read`}
        {prepared.skipped.length > 0 && `, ${countText(prepared.skipped.length)} cannot`}.
        {prepared.others.length > 0 && (
          <>
            {" "}
            Into metadata: <Characters text={prepared.others.slice(0, 20).join(", ")} />
            {prepared.others.length > 20 && ` and ${prepared.others.length - 20} more`}.
          </>
        )}
      </p>
      {prepared.skipped.length > 0 && <SkippedLines listed={prepared.skipped} count={prepared.skipped.length} />}
    </>
  )
}

function Done({ prepared, imported }: { prepared: Prepared; imported: Imported }) {
  const skipped = allSkipped(prepared, imported)
  return (
    <>
      <p role="status">
        <b>{countWords(imported.imported_count, "item")} imported</b>
        {imported.imported_count > 0 ? ", as a new version." : "; the dataset is as it was."}{" "}
        {skipped.count === 0 ? "No line was skipped." : `${countWords(skipped.count, "line")} skipped.`}
      </p>
      {skipped.count > 0 && <SkippedLines listed={skipped.listed} count={skipped.count} />}
    </>
  )
}

const COLUMNS: Column<Skipped>[] = [
  { id: "line", head: "Line", width: 64, align: "end", cell: (row) => countText(row.line) },
  { id: "reason", head: "Why it is skipped", width: 160, grow: 1, cell: (row) => <span title={row.reason}><Characters text={row.reason} /></span> },
]

function SkippedLines({ listed, count }: { listed: Skipped[]; count: number }) {
  return (
    <div className={styles.skipped}>
      <Table label="Skipped lines" rows={listed} rowKey={(row) => String(row.line)} columns={COLUMNS} dense />
      {count > listed.length && <p className="mute">The first {countText(listed.length)} of {countText(count)}.</p>}
    </div>
  )
}

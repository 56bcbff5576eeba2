import { useState } from "react"
import type { Imported } from "../../api/datasets"
import { importItems, isCsv } from "../../api/datasets"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Dialog } from "../../parts/Dialog"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { WriteButton } from "../../parts/WriteButton"
import { bytesText, countText, countWords } from "../../words/format"
import styles from "./Datasets.module.css"

type Skipped = Imported["skipped"][number]

/** Import a file of items. Lines that are not items are skipped, and shown with their reasons. */
export function Import({ dataset, onClose }: { dataset: string; onClose: () => void }) {
  const [file, setFile] = useState<File>()
  const write = useWrite((chosen: File, key) => importItems(dataset, chosen, key), {
    changes: [["dataset", dataset], ["datasets"]],
    onDone: (answer) => announce(`${countWords(answer.imported_count, "item")} imported.`),
  })
  return (
    <Dialog
      title="Import items"
      onClose={onClose}
      wide
      actions={
        write.done ? undefined : (
          <WriteButton kind="main" busy={write.busy} refused={file === undefined ? "Choose a file first." : undefined} onClick={() => file && write.run(file)}>
            {write.busy ? "Importing…" : "Import"}
          </WriteButton>
        )
      }
    >
      {write.done ? (
        <Done imported={write.done} />
      ) : (
        <>
          <label className={styles.field}>
            File
            <input
              type="file"
              accept=".ndjson,.jsonl,.json,.csv"
              onChange={(event) => {
                write.reset()
                setFile(event.target.files?.[0])
              }}
            />
          </label>
          {file && (
            <p role="status">
              {bytesText(file.size)}, read as {isCsv(file.name) ? "CSV" : "NDJSON"}.
            </p>
          )}
          <Formats />
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
          One object per line: <code>{'{"input": …, "expected_output": …, "metadata": {…}, "key": "…"}'}</code>
        </dd>
      </div>
      <div>
        <dt>CSV</dt>
        <dd>
          The first line names the columns: <code>input</code>, <code>expected_output</code>, <code>key</code>, <code>metadata</code>{" "}
          (JSON). Other columns become metadata.
        </dd>
      </div>
      <div>
        <dt>Both</dt>
        <dd>UTF-8. Lines that are not items are skipped and listed; the others become one new version.</dd>
      </div>
    </dl>
  )
}

function Done({ imported }: { imported: Imported }) {
  const { imported_count: count, skipped_count: skipped, skipped: listed } = imported
  return (
    <>
      <p role="status">
        <b>{countWords(count, "item")} imported</b>
        {count > 0 ? ", as a new version." : "; the dataset is as it was."}{" "}
        {skipped === 0 ? "No line was skipped." : `${countWords(skipped, "line")} skipped.`}
      </p>
      {skipped > 0 && (
        <div className={styles.skipped}>
          <Table label="Skipped lines" rows={listed} rowKey={(row) => String(row.line)} columns={COLUMNS} dense />
          {skipped > listed.length && (
            <p className="mute">
              The first {countText(listed.length)} of {countText(skipped)}.
            </p>
          )}
        </div>
      )}
    </>
  )
}

const COLUMNS: Column<Skipped>[] = [
  { id: "line", head: "Line", width: 64, align: "end", cell: (row) => countText(row.line) },
  {
    id: "reason",
    head: "Why it is skipped",
    width: 160,
    grow: 1,
    cell: (row) => (
      <span title={row.reason}>
        <Characters text={row.reason} />
      </span>
    ),
  },
]

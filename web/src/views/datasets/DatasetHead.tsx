import { Link } from "@tanstack/react-router"
import { useState } from "react"
import type { Dataset } from "../../api/datasets"
import { exportPath } from "../../api/datasets"
import { Head } from "../../parts/Head"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { WriteButton } from "../../parts/WriteButton"
import { countText, countWords } from "../../words/format"
import styles from "./Datasets.module.css"
import { fileName } from "./files"
import { DeleteDataset } from "./Removing"

interface Props {
  project: string
  dataset: Dataset
  /** The version that is looked at. */
  version: number
  /** Why nothing can be changed at that version. */
  refused: string | undefined
  onAdd: () => void
  onImport: () => void
}

export function DatasetHead({ project, dataset, version, refused, onAdd, onImport }: Props) {
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <Head
        title={<Characters text={dataset.name} />}
        about={
          <>
            <p className={styles.facts}>
              <span>version {countText(dataset.version)}</span>
              <span>{countWords(dataset.item_count, "item")}</span>
              <span>
                changed <Time at={dataset.updated_at} />
              </span>
              <Link to="/projects/$project/experiments" params={{ project }} search={{ dataset: dataset.id } as never}>
                experiments on it
              </Link>
            </p>
            {dataset.description && (
              <p className={styles.about}>
                <Characters text={dataset.description.slice(0, 1000)} />
              </p>
            )}
          </>
        }
        actions={
          <>
            <WriteButton kind="main" refused={refused} onClick={onAdd}>
              Add an item
            </WriteButton>
            <WriteButton refused={refused} onClick={onImport}>
              Import
            </WriteButton>
            <a
              data-kind="button"
              href={exportPath(dataset.id, version)}
              download={fileName(dataset.name, version)}
              title={`Version ${version} as NDJSON`}
            >
              Export
            </a>
            <WriteButton kind="danger" onClick={() => setDeleting(true)}>
              Delete
            </WriteButton>
          </>
        }
      />
      {deleting && <DeleteDataset project={project} dataset={dataset} onClose={() => setDeleting(false)} />}
    </>
  )
}

import { useQuery } from "@tanstack/react-query"
import type { DatasetItem } from "../../api/datasets"
import { itemQuery } from "../../api/datasets"
import { asProblem } from "../../api/problem"
import { Content } from "../../parts/Content"
import { Copy } from "../../parts/Copy"
import { Json } from "../../parts/Json"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { WriteButton } from "../../parts/WriteButton"
import { shortId } from "../../words/format"
import styles from "./Datasets.module.css"
import { ItemRuns } from "./ItemRuns"

export interface PanelProps {
  project: string
  /** Why the item cannot be changed. */
  refused: string | undefined
  onEdit: (item: DatasetItem) => void
  onDelete: (item: DatasetItem) => void
}

/** One item whole, with what can be done to it and the runs on it. */
export function ItemPanel({ dataset, id, project, refused, onEdit, onDelete }: PanelProps & { dataset: string; id: string }) {
  const { data: item, error, refetch } = useQuery(itemQuery(dataset, id))
  if (error) return <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} />
  if (!item) return <Loading what="the item" rows={5} />
  return (
    <div className={styles.panel}>
      <div className={styles.panelHead}>
        <p className={styles.facts}>
          {item.key !== null && (
            <span>
              key <Characters text={item.key} />
            </span>
          )}
          <span>
            id {shortId(item.id)} <Copy text={item.id} what="the item's id" />
          </span>
          <span>
            added <Time at={item.created_at} />
          </span>
        </p>
        <div className={styles.buttons}>
          <WriteButton refused={refused} onClick={() => onEdit(item)}>
            Edit
          </WriteButton>
          <WriteButton kind="danger" refused={refused} onClick={() => onDelete(item)}>
            Remove
          </WriteButton>
        </div>
      </div>
      <div className={styles.sides}>
        <Content label="Input" value={item.input} />
        <Content label="Expected output" value={item.expected_output} absent="The item has none." />
      </div>
      {item.metadata !== null && (
        <section className={styles.metadata} aria-label="Metadata">
          <h3>Metadata</h3>
          <Json value={item.metadata} as="formatted" label="Metadata" />
        </section>
      )}
      <ItemRuns project={project} dataset={dataset} item={item.id} />
    </div>
  )
}

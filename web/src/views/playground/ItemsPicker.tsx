import { useInfiniteQuery } from "@tanstack/react-query"
import { datasetRowsQuery, itemsQuery } from "../../api/datasets"
import { rowsOf } from "../../api/queries"
import { Field } from "../../parts/Field"
import { Characters } from "../../parts/Text"
import { countText, countWords } from "../../words/format"
import type { Chosen } from "./form"
import { MOST_ITEMS } from "./form"
import styles from "./Playground.module.css"

interface Choice {
  dataset?: string | undefined
  first?: number | undefined
  items?: string[] | undefined
  trials?: number | undefined
}

interface Props {
  project: string
  chosen: Chosen
  onChoose: (choice: Choice) => void
  problem: string | undefined
}

const COUNTS = [1, 5, 10, 25, 50, MOST_ITEMS]

/** Which items are asked about: a dataset's first ones, or chosen ones. */
export function ItemsPicker({ project, chosen, onChoose, problem }: Props) {
  const datasets = useInfiniteQuery(datasetRowsQuery(project, undefined))
  const rows = rowsOf(datasets.data) ?? []
  const counts = [...new Set([...COUNTS, chosen.first])].sort((a, b) => a - b)
  return (
    <section className={styles.group} aria-label="Items">
      <h2>Items</h2>
      <div className={styles.settings}>
        <Field label="Dataset" problem={problem} hint={datasets.data && rows.length === 0 ? "This project has no dataset yet." : undefined}>
          {(field) => (
            <select {...field} value={chosen.dataset ?? ""} onChange={(event) => onChoose({ dataset: event.target.value || undefined, items: undefined })}>
              <option value="">Choose a dataset</option>
              {chosen.dataset !== undefined && !rows.some((row) => row.id === chosen.dataset) && <option value={chosen.dataset}>{chosen.dataset}</option>}
              {rows.map((row) => (
                <option key={row.id} value={row.id}>
                  {row.name} ({countText(row.item_count)})
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="How many">
          {(field) => (
            <select {...field} value={chosen.items === undefined ? String(chosen.first) : "chosen"} onChange={(event) => onChoose(event.target.value === "chosen" ? {} : { first: Number(event.target.value), items: undefined })}>
              {chosen.items !== undefined && <option value="chosen">{countWords(chosen.items.length, "chosen item")}</option>}
              {counts.map((count) => (
                <option key={count} value={count}>
                  {count === 1 ? "the first" : `the first ${count}`}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Answers per item">
          {(field) => (
            <select {...field} value={chosen.trials} onChange={(event) => onChoose({ trials: Number(event.target.value) })}>
              {Array.from({ length: 10 }, (_, at) => (
                <option key={at}>{at + 1}</option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {chosen.dataset !== undefined && (
        <details open={chosen.items !== undefined}>
          <summary>Choose single items</summary>
          <Items key={chosen.dataset} dataset={chosen.dataset} chosen={chosen.items ?? []} onChoose={(items) => onChoose({ items: items.length > 0 ? items : undefined })} />
        </details>
      )}
    </section>
  )
}

function Items({ dataset, chosen, onChoose }: { dataset: string; chosen: readonly string[]; onChoose: (items: string[]) => void }) {
  const items = useInfiniteQuery(itemsQuery(dataset, { version: undefined, q: undefined }))
  const toggle = (id: string): void => onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(0, MOST_ITEMS))
  return (
    <div className={styles.items} role="group" aria-label="Single items" tabIndex={0}>
      {(rowsOf(items.data) ?? []).map((item) => (
        <label key={item.id} className={styles.tick}>
          <input type="checkbox" checked={chosen.includes(item.id)} onChange={() => toggle(item.id)} />
          <span className={styles.clip}>
            <Characters text={item.input} />
          </span>
        </label>
      ))}
      {items.hasNextPage && (
        <button type="button" data-kind="plain" disabled={items.isFetching} onClick={() => void items.fetchNextPage()}>
          {items.isFetching ? "Loading…" : "More items"}
        </button>
      )}
    </div>
  )
}

import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import type { RefObject } from "react"
import { itemQuery, itemsQuery } from "../../api/datasets"
import { insertAt, variablesOf } from "./form"
import styles from "./Playground.module.css"

interface Props {
  dataset: string | undefined
  /** The item whose keys are shown; the dataset's first one where none is chosen. */
  item: string | undefined
  focused: RefObject<HTMLTextAreaElement | null>
}

/** What a prompt may use of an item; a press puts it where the cursor was last. */
export function Variables({ dataset, item, focused }: Props) {
  const items = useInfiniteQuery({ ...itemsQuery(dataset ?? "", { version: undefined, q: undefined }), enabled: dataset !== undefined })
  const shown = item ?? items.data?.pages[0]?.items[0]?.id
  const whole = useQuery({ ...itemQuery(dataset ?? "", shown ?? ""), enabled: dataset !== undefined && shown !== undefined })
  function put(variable: string): void {
    const field = focused.current
    if (field === null || !field.isConnected) return
    const { selectionStart, selectionEnd } = field
    // React hears of a change only by the field's own setter.
    const setter = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set
    setter?.call(field, insertAt(field.value, selectionStart, selectionEnd, variable))
    field.dispatchEvent(new Event("input", { bubbles: true }))
    field.focus()
    field.setSelectionRange(selectionStart + variable.length, selectionStart + variable.length)
  }
  return (
    <div className={styles.variables} role="group" aria-label="Variables">
      <span className="mute">Variables:</span>
      {variablesOf(whole.data as Parameters<typeof variablesOf>[0]).map((variable) => (
        <button key={variable} type="button" data-kind="plain" className={styles.mono} title="Put it where the cursor was last" onClick={() => put(variable)}>
          {variable}
        </button>
      ))}
    </div>
  )
}

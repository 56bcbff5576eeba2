import type { Ref } from "react"
import { useEffect, useId, useRef } from "react"
import type { ReviewLabel } from "../../api/review"
import { keyLabel } from "../../keys"
import { Characters } from "../../parts/Text"
import styles from "./Annotate.module.css"
import type { ReviewForm } from "./reviewForm"
import { labelText } from "./reviewWords"

interface Props {
  labels: readonly ReviewLabel[]
  mayWriteOwn: boolean
  form: ReviewForm
  onChange: (patch: Partial<ReviewForm>) => void
  first: Ref<HTMLInputElement>
}

/** The labels to choose from, each with its number, and room for one in the person's own words. */
export function Labels({ labels, mayWriteOwn, form, onChange, first }: Props) {
  const name = useId()
  const options = useChosenInSight(form.label)
  return (
    <fieldset className={styles.labels} ref={options}>
      <legend>Was this good?</legend>
      <div className={styles.options}>
        {labels.map(({ label, hint }, at) => (
          <label key={label} className={styles.option} title={hint ?? undefined}>
            <input
              ref={at === 0 ? first : undefined}
              type="radio"
              name={name}
              className="hidden-text"
              checked={form.label === label && form.ownLabel.trim() === ""}
              onChange={() => onChange({ label, ownLabel: "" })}
            />
            {at < 9 && <kbd>{keyLabel(String(at + 1))}</kbd>}
            <span>
              <Characters text={labelText(label)} />
              {hint && (
                <small>
                  <Characters text={hint} />
                </small>
              )}
            </span>
          </label>
        ))}
      </div>
      {mayWriteOwn && (
        <label className={styles.own}>
          Or in a word of your own
          <input dir="auto" value={form.ownLabel} maxLength={256} autoComplete="off" onChange={(event) => onChange({ ownLabel: event.target.value, label: undefined })} />
        </label>
      )}
    </fieldset>
  )
}

/** A label that is chosen by its number may be far below what is being read: it comes into sight. */
function useChosenInSight(label: string | undefined) {
  const options = useRef<HTMLFieldSetElement>(null)
  const before = useRef(label)
  useEffect(() => {
    if (label !== undefined && label !== before.current) {
      options.current?.querySelector(":checked")?.closest("label")?.scrollIntoView({ block: "nearest" })
    }
    before.current = label
  }, [label])
  return options
}

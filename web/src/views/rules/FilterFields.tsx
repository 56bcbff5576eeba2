import { Field } from "../../parts/Field"
import type { RuleTexts } from "./ruleForm"
import styles from "./Rules.module.css"

export interface PartProps {
  texts: RuleTexts
  edit: (patch: Partial<RuleTexts>) => void
  messageOf: (field: string) => string | undefined
}

/** Which spans are meant. What is left empty is not asked. */
export function FilterFields({ texts, edit, messageOf }: PartProps) {
  return (
    <fieldset className={styles.group}>
      <legend>Spans that match</legend>
      <div className={styles.line}>
        <Field label="Name of the span" hint="Exactly this. Empty: any." problem={messageOf("filter.name")}>
          {(field) => <input {...field} value={texts.spanName} autoComplete="off" spellCheck={false} onChange={(event) => edit({ spanName: event.target.value })} />}
        </Field>
        <Field label="Model" hint="Exactly this. Empty: any." problem={messageOf("filter.model")}>
          {(field) => <input {...field} value={texts.model} autoComplete="off" spellCheck={false} onChange={(event) => edit({ model: event.target.value })} />}
        </Field>
        <Field label="Error" problem={messageOf("filter.has_error")}>
          {(field) => (
            <select {...field} value={texts.error} onChange={(event) => edit({ error: event.target.value as RuleTexts["error"] })}>
              <option value="any">with or without</option>
              <option value="with">only with an error</option>
              <option value="without">only without an error</option>
            </select>
          )}
        </Field>
      </div>
      <label className={styles.tick}>
        <input type="checkbox" checked={texts.rootOnly} onChange={(event) => edit({ rootOnly: event.target.checked })} />
        Root spans only: the outermost step of a trace
      </label>
      <Field label="Metadata" hint="One per line, as tier = team. All must hold. Numbers, true and false are read as such; quotes make them text." problem={messageOf("filter.metadata")}>
        {(field) => (
          <textarea {...field} rows={Math.max(2, texts.metadata.split("\n").length)} className={styles.mono} spellCheck={false} value={texts.metadata} onChange={(event) => edit({ metadata: event.target.value })} />
        )}
      </Field>
    </fieldset>
  )
}

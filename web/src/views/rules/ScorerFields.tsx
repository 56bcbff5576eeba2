import { useState } from "react"
import type { FieldProps } from "../../parts/Field"
import { Field } from "../../parts/Field"
import type { PartProps } from "./FilterFields"
import { configTexts, readConfig } from "./ruleForm"
import styles from "./Rules.module.css"
import type { ConfigField } from "./builtIns"
import { BUILT_INS, builtIn } from "./builtIns"

const GROUPS = [
  { label: "Rules, which cost nothing", scorers: BUILT_INS.filter((builtIn) => !builtIn.judge) },
  { label: "Judges, which ask a model", scorers: BUILT_INS.filter((builtIn) => builtIn.judge) },
]

/** Which scorer, and its configuration: in fields, or as JSON. */
export function ScorerFields({ texts, edit, messageOf }: PartProps) {
  const [stuck, setStuck] = useState(false)
  const chosen = builtIn(texts.kind)
  const toJson = (): void => edit({ json: JSON.stringify(readConfig(texts), null, 2) })
  function toFields(): void {
    const problems: Record<string, string> = {}
    const fields = configTexts(texts.kind, readConfig(texts, problems))
    const possible = fields !== null && Object.keys(problems).length === 0
    setStuck(!possible)
    if (possible) edit({ json: null, config: { ...texts.config, ...emptied(chosen?.fields), ...fields } })
  }
  return (
    <fieldset className={styles.group}>
      <legend>Scorer</legend>
      <div className={styles.line}>
        <Field label="Kind" hint={`${chosen?.does ?? "Not a built-in scorer"}.`} problem={messageOf("scorer.scorer") ?? messageOf("value")}>
          {(field) => (
            <select {...field} value={texts.kind} onChange={(event) => edit({ kind: event.target.value })}>
              {chosen === undefined && <option>{texts.kind}</option>}
              {GROUPS.map((group) => (
                <optgroup key={group.label} label={group.label}>
                  {group.scorers.map((scorer) => (
                    <option key={scorer.name}>{scorer.name}</option>
                  ))}
                </optgroup>
              ))}
            </select>
          )}
        </Field>
        <Field label="Name of the score" hint="Scores of one name are compared with each other." problem={messageOf("scorer.scorer_name")}>
          {(field) => (
            <input {...field} value={texts.scorerName} placeholder={texts.kind} maxLength={256} autoComplete="off" spellCheck={false} onChange={(event) => edit({ scorerName: event.target.value })} />
          )}
        </Field>
      </div>
      {texts.json !== null ? (
        <Field label="Configuration as JSON" hint={stuck ? "The fields cannot show this configuration; mend it, or leave it as JSON." : `Keys: ${chosen?.fields.map((field) => field.key).join(", ") ?? "its own"}.`} problem={messageOf("config")}>
          {(field) => (
            <textarea {...field} rows={8} className={styles.mono} spellCheck={false} value={texts.json ?? ""} onChange={(event) => edit({ json: event.target.value })} />
          )}
        </Field>
      ) : (
        <Config fields={chosen?.fields ?? []} texts={texts} edit={edit} messageOf={messageOf} />
      )}
      <div>
        <button type="button" data-kind="link" onClick={texts.json === null ? toJson : toFields}>
          {texts.json === null ? "Write the configuration as JSON" : "Show the configuration in fields"}
        </button>
      </div>
    </fieldset>
  )
}

function emptied(fields: readonly ConfigField[] = []): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field.key, ""]))
}

function isLarge(field: ConfigField): boolean {
  return field.kind === "long" || field.kind === "json" || field.kind === "lines"
}

/** What is needed stands in sight; the rest is folded while nothing is said in it. */
function Config({ fields, texts, edit, messageOf }: PartProps & { fields: readonly ConfigField[] }) {
  const needed = fields.filter((field) => field.needed)
  const others = fields.filter((field) => !field.needed)
  const [opened, setOpened] = useState(false)
  const said = others.some((field) => (texts.config[field.key] ?? "") !== "" || messageOf(`config.${field.key}`) !== undefined)
  const draw = (some: readonly ConfigField[]) => (
    <div className={styles.config}>
      {some.map((field) => (
        <div key={field.key} className={isLarge(field) || field.needed ? styles.whole : undefined}>
          <Field label={field.label} hint={field.hint} problem={messageOf(`config.${field.key}`)}>
            {(given) => (
              <Input field={field} given={given} value={texts.config[field.key] ?? ""} onChange={(value) => edit({ config: { ...texts.config, [field.key]: value } })} />
            )}
          </Field>
        </div>
      ))}
    </div>
  )
  return (
    <>
      {draw(needed)}
      {others.length > 2 ? (
        <details className={styles.more} open={opened || said} onToggle={(event) => setOpened(event.currentTarget.open)}>
          <summary>{others.length} more settings</summary>
          {draw(others)}
        </details>
      ) : (
        draw(others)
      )}
    </>
  )
}

interface InputProps {
  field: ConfigField
  given: FieldProps
  value: string
  onChange: (value: string) => void
}

function Input({ field, given, value, onChange }: InputProps) {
  if (field.kind === "bool" || field.kind === "choice") {
    const options = field.kind === "bool" ? ["true", "false"] : (field.options ?? [])
    const words = (option: string): string => (field.kind === "choice" ? option : option === "true" ? "yes" : "no")
    return (
      <select {...given} value={value === "" ? (field.usual ?? options[0]) : value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {words(option)}
          </option>
        ))}
      </select>
    )
  }
  if (isLarge(field)) {
    const rows = Math.min(16, Math.max(field.key === "prompt_template" ? 7 : 3, value.split("\n").length))
    return <textarea {...given} rows={rows} className={field.kind === "long" ? undefined : styles.mono} placeholder={field.placeholder} spellCheck={field.kind === "long"} value={value} onChange={(event) => onChange(event.target.value)} />
  }
  return (
    <input
      {...given}
      inputMode={field.kind === "number" ? "decimal" : undefined}
      placeholder={field.placeholder ?? field.usual}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

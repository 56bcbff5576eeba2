import { Field } from "../../parts/Field"
import type { Judge } from "./form"
import { PLAIN_SCORERS } from "./form"
import styles from "./Playground.module.css"

interface Props {
  scorers: readonly string[]
  judge: Judge
  onChoose: (choice: { scorers: string[] | undefined }) => void
  onJudge: (judge: Judge) => void
  messageOf: (field: string) => string | undefined
}

/** What the answers are measured by: rules that compare with the expected output, and a judge. */
export function ScorerPicker({ scorers, judge, onChoose, onJudge, messageOf }: Props) {
  function toggle(name: string): void {
    const next = scorers.includes(name) ? scorers.filter((scorer) => scorer !== name) : [...scorers, name]
    onChoose({ scorers: next.length > 0 ? next : undefined })
  }
  const others = scorers.filter((name) => !Object.hasOwn(PLAIN_SCORERS, name))
  return (
    <section className={styles.group} aria-label="Scorers">
      <h2>Scorers</h2>
      <ul className={styles.ticks}>
        {Object.entries(PLAIN_SCORERS).map(([name, does]) => (
          <li key={name}>
            <label className={styles.tick}>
              <input type="checkbox" checked={scorers.includes(name)} onChange={() => toggle(name)} />
              <span>
                {name} <span className="mute">{does}</span>
              </span>
            </label>
          </li>
        ))}
        {others.map((name) => (
          <li key={name}>
            <label className={styles.tick}>
              <input type="checkbox" checked onChange={() => toggle(name)} /> {name}
            </label>
          </li>
        ))}
      </ul>
      <label className={styles.tick}>
        <input type="checkbox" checked={judge.on} onChange={(event) => onJudge({ ...judge, on: event.target.checked })} />
        <span>
          judge <span className="mute">a model&rsquo;s opinion, which costs a call per answer</span>
        </span>
      </label>
      {judge.on && (
        <>
          <Field label="Judge's model" problem={messageOf("judge.model")}>
            {(field) => <input {...field} value={judge.model} placeholder="openai/gpt-4o-mini" autoComplete="off" spellCheck={false} onChange={(event) => onJudge({ ...judge, model: event.target.value })} />}
          </Field>
          <Field label="Judge's prompt" hint="With {{input}}, {{output}} and {{expected_output}}." problem={messageOf("judge.prompt")}>
            {(field) => <textarea {...field} rows={6} className={styles.mono} value={judge.prompt} onChange={(event) => onJudge({ ...judge, prompt: event.target.value })} />}
          </Field>
        </>
      )}
    </section>
  )
}

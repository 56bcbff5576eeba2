import { useNavigate } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import type { Problem } from "../../api/problem"
import { fieldMessage } from "../../api/problem"
import { useSession } from "../../api/queries"
import type { Rule, RuleDraft, Target } from "../../api/rules"
import { createRule, previewRule } from "../../api/rules"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Field, Fields } from "../../parts/Field"
import { Head } from "../../parts/Head"
import { ProblemBox } from "../../parts/Problem"
import { Unsaved } from "../../parts/Unsaved"
import { refusal, WriteButton } from "../../parts/WriteButton"
import { FilterFields } from "./FilterFields"
import { Preview } from "./Preview"
import type { RuleTexts } from "./ruleForm"
import { NEW_RULE, readRule, textsOf } from "./ruleForm"
import styles from "./Rules.module.css"
import { TARGETS } from "./ruleWords"
import { ScorerFields } from "./ScorerFields"

/** Fields whose messages stand beside them. */
const BESIDE = /^(?:name|target|sampling_rate|filter\.\w+|scorer\.\w+|value|config(?:[.[].*)?)$/

/** A new rule, or a copy of one with another filter or scorer. */
export function NewRule({ project, from }: { project: string; from: Rule | undefined }) {
  const navigate = useNavigate()
  const refused = refusal(useSession(), "write")
  const [start] = useState<RuleTexts>(() => (from ? { ...textsOf(from), name: `${from.name} (copy)` } : NEW_RULE))
  const [texts, setTexts] = useState(start)
  const [tried, setTried] = useState(false)
  const { draft, problems } = readRule(project, texts)
  const preview = useWrite((wanted: RuleDraft) => previewRule(wanted))
  const [previewed, setPreviewed] = useState<string>()
  const save = useWrite(createRule, {
    changes: [["rules", project]],
    onDone: (rule) => {
      announce(`The rule ${rule.name} is saved.`)
      void navigate({ to: "/projects/$project/rules", params: { project }, ignoreBlocker: true })
    },
  })
  const problem = save.problem ?? preview.problem
  const [marked, setMarked] = useState(0)
  const form = useFirstWrong(marked, problem)
  const messageOf = (field: string): string | undefined => (tried ? problems[field] : undefined) ?? fieldMessage(problem, field)
  const edit = (patch: Partial<RuleTexts>): void => setTexts((before) => ({ ...before, ...patch }))
  function act(run: (wanted: RuleDraft) => void): void {
    setTried(true)
    setMarked((before) => before + 1)
    save.reset()
    // What was previewed stays; only a refusal goes.
    if (preview.problem) preview.reset()
    if (draft) run(draft)
  }
  const look = (): void =>
    act((wanted) => {
      setPreviewed(JSON.stringify(wanted))
      preview.run(wanted)
    })
  return (
    <>
      <Head title={from ? "Copy of a rule" : "New rule"} about="It scores what comes in from now on. Look first what it would have matched and cost." />
      <div className={styles.split}>
        <form
          ref={form}
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (refused === undefined) look()
          }}
        >
          <Fields refused={refused} legend="The rule">
            <Field label="Name" problem={messageOf("name")}>
              {(field) => <input {...field} value={texts.name} maxLength={256} autoComplete="off" onChange={(event) => edit({ name: event.target.value })} />}
            </Field>
            <Field label="Scores" hint={TARGETS[texts.target].when} problem={messageOf("target")}>
              {(field) => (
                <select {...field} value={texts.target} onChange={(event) => edit({ target: event.target.value as Target })}>
                  {Object.entries(TARGETS).map(([id, words]) => (
                    <option key={id} value={id}>
                      {words.many}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <FilterFields texts={texts} edit={edit} messageOf={messageOf} />
            <ScorerFields texts={texts} edit={edit} messageOf={messageOf} />
            <Field label="Share that is scored, in %" hint="Drawn at random by the id: the same at every retry." problem={messageOf("sampling_rate")}>
              {(field) => <input {...field} inputMode="decimal" className={styles.short} value={texts.sampling} onChange={(event) => edit({ sampling: event.target.value })} />}
            </Field>
            <label className={styles.tick}>
              <input type="checkbox" checked={texts.enabled} onChange={(event) => edit({ enabled: event.target.checked })} />
              On as soon as it is saved
            </label>
          </Fields>
        </form>
        <Preview project={project} target={texts.target} preview={preview.done} busy={preview.busy} stale={draft === undefined || JSON.stringify(draft) !== previewed}>
          <Refusal problem={problem} wrong={tried ? Object.keys(problems).length : 0} onRetry={save.problem ? save.retry : preview.retry} />
          <div className={styles.buttons}>
            <WriteButton busy={preview.busy} onClick={look}>
              {preview.busy ? "Looking…" : "Preview"}
            </WriteButton>
            <WriteButton kind="main" busy={save.busy} onClick={() => act((wanted) => save.run(wanted))}>
              {save.busy ? "Saving…" : "Save the rule"}
            </WriteButton>
          </div>
        </Preview>
      </div>
      <Unsaved when={JSON.stringify(texts) !== JSON.stringify(start) && !save.busy && !save.done} what="The rule is not saved." />
    </>
  )
}

/** After a press of a button, the first field that is not right gets the focus. */
function useFirstWrong(pressed: number, problem: Problem | null) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (pressed > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
  }, [pressed, problem])
  return form
}

interface RefusalProps {
  problem: Problem | null
  /** Fields that are not right, as far as the page can tell. */
  wrong: number
  onRetry: () => void
}

/** Why nothing happened. What is said beside the fields is not said twice. */
function Refusal({ problem, wrong, onRetry }: RefusalProps) {
  if (wrong > 0) return <p className={styles.wrong} role="alert">✕ {wrong === 1 ? "One field is" : `${wrong} fields are`} not right yet.</p>
  if (problem === null) return null
  const others = problem.fields.filter((field) => !BESIDE.test(field.field))
  if (problem.fields.length > 0 && others.length === 0) return <p className={styles.wrong} role="alert">✕ The server refused this; see beside the fields.</p>
  return <ProblemBox problem={problem} onRetry={onRetry} shownFields={problem.fields.map((field) => field.field).filter((one) => BESIDE.test(one))} />
}

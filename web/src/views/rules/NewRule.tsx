import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
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

/** Beside their fields are all messages but these. */
const BESIDE = /^(?:name|target|sampling_rate|filter\.\w+|scorer\.\w+|config(?:[.[].*)?)/

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
  const messageOf = (field: string): string | undefined => (tried ? problems[field] : undefined) ?? fieldMessage(problem, field)
  const edit = (patch: Partial<RuleTexts>): void => setTexts((before) => ({ ...before, ...patch }))
  function act(run: (wanted: RuleDraft) => void): void {
    setTried(true)
    if (!draft) return announce("Some fields are not right yet.")
    save.reset()
    run(draft)
  }
  const look = (): void =>
    act((wanted) => {
      setPreviewed(JSON.stringify(wanted))
      preview.run(wanted)
    })
  const wrong = tried && !draft ? `${Object.keys(problems).length} of the fields above ${Object.keys(problems).length === 1 ? "is" : "are"} not right yet.` : undefined
  return (
    <>
      <Head title={from ? "Copy of a rule" : "New rule"} about="It scores what comes in from now on. Look first what it would have matched and cost." />
      <div className={styles.split}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (refused === undefined) look()
          }}
        >
          <Fields refused={refused} legend="The rule">
            <Field label="Name" problem={messageOf("name")}>
              {(given) => <input {...given} value={texts.name} maxLength={256} autoComplete="off" onChange={(event) => edit({ name: event.target.value })} />}
            </Field>
            <Field label="Scores" hint={TARGETS[texts.target].when} problem={messageOf("target")}>
              {(given) => (
                <select {...given} value={texts.target} onChange={(event) => edit({ target: event.target.value as Target })}>
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
              {(given) => <input {...given} inputMode="decimal" className={styles.short} value={texts.sampling} onChange={(event) => edit({ sampling: event.target.value })} />}
            </Field>
            <label className={styles.tick}>
              <input type="checkbox" checked={texts.enabled} onChange={(event) => edit({ enabled: event.target.checked })} />
              On as soon as it is saved
            </label>
          </Fields>
          {wrong !== undefined && <p className={styles.wrong}>✕ {wrong}</p>}
          {problem && <ProblemBox problem={problem} onRetry={save.problem ? save.retry : preview.retry} shownFields={problem.fields.map((one) => one.field).filter((one) => BESIDE.test(one))} />}
          <div className={styles.buttons}>
            <WriteButton busy={preview.busy} onClick={look}>
              {preview.busy ? "Looking…" : "Preview"}
            </WriteButton>
            <WriteButton kind="main" busy={save.busy} onClick={() => act((wanted) => save.run(wanted))}>
              {save.busy ? "Saving…" : "Save the rule"}
            </WriteButton>
          </div>
        </form>
        <Preview project={project} target={texts.target} preview={preview.done} busy={preview.busy} stale={draft === undefined || JSON.stringify(draft) !== previewed} />
      </div>
      <Unsaved when={JSON.stringify(texts) !== JSON.stringify(start) && !save.busy && !save.done} what="The rule is not saved." />
    </>
  )
}

import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { fieldMessage } from "../../api/problem"
import { useSession } from "../../api/queries"
import type { Rule, RuleChange, RuleDraft } from "../../api/rules"
import { changeRule, previewRule } from "../../api/rules"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Field, Fields } from "../../parts/Field"
import { Head } from "../../parts/Head"
import { Json } from "../../parts/Json"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { Unsaved } from "../../parts/Unsaved"
import { refusal, WriteButton } from "../../parts/WriteButton"
import { Preview } from "./Preview"
import { rateText, readRate } from "./ruleForm"
import styles from "./Rules.module.css"
import { conditions, scorerKind, TARGETS } from "./ruleWords"

/** Name, share and on or off may change. Another filter or scorer is another rule: their scores must not be mixed up. */
export function EditRule({ project, rule }: { project: string; rule: Rule }) {
  const navigate = useNavigate()
  const refused = refusal(useSession(), "write")
  const [typed, setTyped] = useState<{ name?: string; sampling?: string; enabled?: boolean }>({})
  const name = typed.name ?? rule.name
  const sampling = typed.sampling ?? rateText(rule.sampling_rate)
  const enabled = typed.enabled ?? rule.enabled
  const rate = readRate(sampling)
  const nameProblem = name.trim() === "" ? "Give the rule a name" : undefined
  const change: RuleChange = {
    ...(name !== rule.name && { name }),
    ...(rate.value !== undefined && rate.value !== rule.sampling_rate && { sampling_rate: rate.value }),
    ...(enabled !== rule.enabled && { enabled }),
  }
  const changed = Object.keys(change).length > 0
  const save = useWrite((wanted: RuleChange) => changeRule(rule.id, wanted), {
    changes: [["rules", project]],
    onDone: () => {
      announce(`The rule ${name} is saved.`)
      void navigate({ to: "/projects/$project/rules", params: { project }, ignoreBlocker: true })
    },
  })
  const draft: RuleDraft = { ...pick(rule), project_id: project, name: "preview", sampling_rate: rate.value ?? 1, enabled: true }
  const preview = useWrite((wanted: RuleDraft) => previewRule(wanted))
  const [previewed, setPreviewed] = useState<number>()
  const look = (): void => {
    setPreviewed(rate.value)
    preview.run(draft)
  }
  const wrong = nameProblem ?? rate.problem
  const problem = save.problem ?? preview.problem
  return (
    <>
      <Head
        title={<Characters text={rule.name} />}
        about={
          <>
            Made <Time at={rule.created_at} />, changed <Time at={rule.updated_at} />
          </>
        }
        actions={
          <Link to="/projects/$project/rules" params={{ project }} search={{ rule: "new", from: rule.id }}>
            Copy to a new rule
          </Link>
        }
      />
      <div className={styles.split}>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (refused === undefined && wrong === undefined && changed && !save.busy) save.run(change)
          }}
        >
          <Fields refused={refused} legend="The rule">
            <Field label="Name" problem={nameProblem ?? fieldMessage(problem, "name")}>
              {(field) => <input {...field} value={name} maxLength={256} autoComplete="off" onChange={(event) => setTyped({ ...typed, name: event.target.value })} />}
            </Field>
            <Field label="Share that is scored, in %" hint="A larger share keeps all that a smaller one has." problem={rate.problem ?? fieldMessage(problem, "sampling_rate")}>
              {(field) => <input {...field} inputMode="decimal" className={styles.short} value={sampling} onChange={(event) => setTyped({ ...typed, sampling: event.target.value })} />}
            </Field>
            <label className={styles.tick}>
              <input type="checkbox" checked={enabled} onChange={(event) => setTyped({ ...typed, enabled: event.target.checked })} />
              On
            </label>
          </Fields>
          <Fixed rule={rule} />
        </form>
        <Preview project={project} target={rule.target} preview={preview.done} busy={preview.busy} stale={rate.value !== previewed}>
          {problem && <ProblemBox problem={problem} onRetry={save.problem ? save.retry : preview.retry} shownFields={["name", "sampling_rate"]} />}
          <div className={styles.buttons}>
            <WriteButton busy={preview.busy} refused={rate.problem} onClick={look}>
              {preview.busy ? "Looking…" : "Preview"}
            </WriteButton>
            <WriteButton kind="main" busy={save.busy} refused={wrong ?? (changed ? undefined : "Nothing is changed.")} onClick={() => save.run(change)}>
              {save.busy ? "Saving…" : "Save the changes"}
            </WriteButton>
          </div>
        </Preview>
      </div>
      <Unsaved when={changed && !save.busy && !save.done} what="The rule was changed and is not saved." />
    </>
  )
}

function pick(rule: Rule): Pick<Rule, "target" | "filter" | "scorer"> {
  return { target: rule.target, filter: rule.filter, scorer: rule.scorer }
}

function Fixed({ rule }: { rule: Rule }) {
  const all = conditions(rule.filter)
  return (
    <section className={styles.fixed} aria-label="What stays as it is">
      <h2>What stays as it is</h2>
      <p className="mute">Another filter or scorer is another rule, so that their scores are not mixed up: copy it, change the copy, and delete this one.</p>
      <dl className={styles.figures}>
        <div>
          <dt>Scores</dt>
          <dd>{TARGETS[rule.target].many}</dd>
        </div>
        <div>
          <dt>That match</dt>
          <dd>
            {all.length === 0 ? "every span" : (
              <ul className={styles.conditions}>
                {all.map((words) => (
                  <li key={words}>
                    <Characters text={words} />
                  </li>
                ))}
              </ul>
            )}
          </dd>
        </div>
        <div>
          <dt>Scorer</dt>
          <dd>
            <Characters text={rule.scorer.scorer_name} />
            {scorerKind(rule) !== rule.scorer.scorer_name && <span className="mute"> {scorerKind(rule)}</span>}
          </dd>
        </div>
      </dl>
      <h3>Configuration of the scorer</h3>
      <Json label="Configuration" value={rule.scorer.config ?? {}} />
    </section>
  )
}

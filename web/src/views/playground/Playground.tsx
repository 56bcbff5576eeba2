import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useRef, useState } from "react"
import { fieldMessage } from "../../api/problem"
import { useSession } from "../../api/queries"
import { modelsQuery, playedQuery, previewPlayground, runPlayground } from "../../api/playground"
import type { PlaygroundDraft } from "../../api/playground"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Fields } from "../../parts/Field"
import { Head } from "../../parts/Head"
import { ProblemBox } from "../../parts/Problem"
import { useLeaving } from "../../parts/useLeaving"
import { refusal, WriteButton } from "../../parts/WriteButton"
import { playgroundSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { CandidateEditor } from "./CandidateEditor"
import { Cost } from "./Cost"
import type { Candidate, Judge } from "./form"
import { candidateOf, FIRST, FIRST_JUDGE, LETTERS, MOST_CANDIDATES, MOST_ITEMS, readForm } from "./form"
import { ItemsPicker } from "./ItemsPicker"
import styles from "./Playground.module.css"
import { Results } from "./Results"
import { ScorerPicker } from "./ScorerPicker"
import { Variables } from "./Variables"

/** Fields whose messages stand beside them. */
const BESIDE = /^(?:candidates\[\d\]\.(?:model|params|messages\[\d+\]\.content)|dataset_id)$/

/** Prompts with models, tried on some items, and what came of it side by side. */
export function Playground() {
  const { project } = useParams({ from: "/shell/projects/$project/playground" })
  const [state, set] = useViewState(playgroundSearch)
  const refused = refusal(useSession(), "write")
  const models = useQuery(modelsQuery(project))
  const played = useQuery(playedQuery(project, state.job))
  useTitle("Playground", project)
  const [typed, setTyped] = useState<Candidate[]>()
  const [judge, setJudge] = useState<Judge>(FIRST_JUDGE)
  const [saved, setSaved] = useState<string>()
  const before = (played.data ?? []).map(candidateOf).filter((one) => one !== undefined)
  const candidates = typed ?? (before.length > 0 ? before : [FIRST])
  const written = JSON.stringify([candidates, judge])
  const dirty = (typed !== undefined || judge.on) && written !== saved
  const { question } = useLeaving(dirty, () => undefined)
  const chosen = {
    dataset: state.dataset,
    first: Math.min(state.first ?? 10, MOST_ITEMS),
    items: state.items,
    scorers: state.scorers ?? [],
    trials: Math.min(state.trials ?? 1, 10),
  }
  const { draft, problems } = readForm(project, candidates, judge, chosen)
  const [tried, setTried] = useState(false)
  const preview = useWrite((wanted: PlaygroundDraft) => previewPlayground(wanted))
  const [previewed, setPreviewed] = useState<string>()
  const costIsShown = preview.done !== undefined && draft !== undefined && JSON.stringify(draft) === previewed
  const run = useWrite(runPlayground, {
    changes: [["jobs"], ["experiments"]],
    onDone: (accepted) => {
      setSaved(written)
      announce(`${accepted.answers} answers are asked for.`)
      set({ job: accepted.job_id, item: undefined })
    },
  })
  const problem = run.problem ?? preview.problem
  const messageOf = (field: string): string | undefined => (tried ? problems[field] : undefined) ?? fieldMessage(problem, field)
  const focused = useRef<HTMLTextAreaElement | null>(null)
  function edit(at: number, candidate: Candidate): void {
    setTyped(candidates.map((current, index) => (index === at ? candidate : current)))
  }
  function act(press: (wanted: PlaygroundDraft) => void): void {
    setTried(true)
    run.reset()
    if (preview.problem) preview.reset()
    if (draft) press(draft)
  }
  const wrong = tried ? Object.keys(problems).length : 0
  return (
    <div className={styles.page}>
      <Head title="Playground" about="Try prompts and models on items of a dataset. Every candidate becomes an experiment." />
      {question}
      <Fields refused={refused} legend="What is tried">
        <div className={styles.candidates} data-count={candidates.length}>
          {candidates.map((candidate, at) => (
            <CandidateEditor
              key={at}
              letter={LETTERS[at] ?? "A"}
              path={`candidates[${at}]`}
              candidate={candidate}
              models={models.data}
              messageOf={messageOf}
              onEdit={(changed) => edit(at, changed)}
              onFocus={(field) => (focused.current = field)}
              onRemove={candidates.length > 1 ? () => setTyped(candidates.filter((_, index) => index !== at)) : undefined}
            />
          ))}
        </div>
        <div className={styles.line}>
          {candidates.length < MOST_CANDIDATES && (
            <button type="button" onClick={() => setTyped([...candidates, candidates.at(-1) ?? FIRST])}>
              Add a candidate to compare
            </button>
          )}
          <Variables dataset={state.dataset} item={state.items?.[0]} focused={focused} />
        </div>
        <div className={styles.choices}>
          <ItemsPicker project={project} chosen={chosen} onChoose={set} problem={messageOf("dataset_id")} />
          <ScorerPicker scorers={chosen.scorers} judge={judge} onChoose={set} onJudge={setJudge} messageOf={messageOf} />
        </div>
      </Fields>
      <section className={styles.cost} aria-label="Cost">
        <Cost project={project} preview={preview.done} busy={preview.busy} stale={!costIsShown} />
        {wrong > 0 && (
          <p className={styles.wrong} role="alert">
            ✕ {wrong === 1 ? "One field is" : `${wrong} fields are`} not right yet: {Object.values(problems).join(" · ")}
          </p>
        )}
        {wrong === 0 && problem && (
          <ProblemBox problem={problem} onRetry={run.problem ? run.retry : preview.retry} shownFields={problem.fields.map((field) => field.field).filter((one) => BESIDE.test(one))} />
        )}
        <div className={styles.line}>
          <WriteButton
            busy={preview.busy}
            onClick={() => act((wanted) => {
              setPreviewed(JSON.stringify(wanted))
              preview.run(wanted)
            })}
          >
            {preview.busy ? "Estimating…" : "Preview the cost"}
          </WriteButton>
          <WriteButton kind="main" busy={run.busy} refused={costIsShown ? undefined : "Preview the cost first."} onClick={() => act((wanted) => run.run(wanted))}>
            {run.busy ? "Sending…" : "Run"}
          </WriteButton>
        </div>
      </section>
      {state.job !== undefined && (
        <Results key={state.job} project={project} job={state.job} experiments={played.data} problem={played.error} item={state.item} onItem={(item) => set({ item })} />
      )}
    </div>
  )
}

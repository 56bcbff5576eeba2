import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { asProblem, fieldMessage } from "../../api/problem"
import { useSession } from "../../api/queries"
import type { Budget, BudgetDraft } from "../../api/settings"
import { budgetQuery, setBudget } from "../../api/settings"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Field, Fields } from "../../parts/Field"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Unsaved } from "../../parts/Unsaved"
import { refusal, WriteButton } from "../../parts/WriteButton"
import { countText, moneyText } from "../../words/format"
import type { Spending } from "./amounts"
import { readCount, readUsd, tokenSpending, usdSpending } from "./amounts"
import styles from "./Settings.module.css"

const MOST_USD = 1e12

export function BudgetTab({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(budgetQuery(project))
  if (!data) return error ? <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} /> : <Loading what="the budget" rows={6} />
  return (
    <div className={styles.panel}>
      <Today budget={data} />
      <Limits project={project} budget={data} />
      <ByModel project={project} budget={data} />
    </div>
  )
}

function Today({ budget }: { budget: Budget }) {
  return (
    <section className={styles.section} aria-label="Spent today">
      <h2>Spent on judges today</h2>
      <p className="mute">{budget.day}, from 00:00 to 24:00 UTC. At midnight it starts again at 0.</p>
      <div className={styles.meters}>
        <Meter label="US dollars" spending={usdSpending(budget)} />
        <Meter label="Tokens" spending={tokenSpending(budget)} />
      </div>
    </section>
  )
}

function Meter({ label, spending }: { label: string; spending: Spending }) {
  const { spent, against, share } = spending
  return (
    <div className={styles.meter}>
      <h3>{label}</h3>
      <p>
        <span className={styles.spent}>{spent}</span> {against}
      </p>
      {share !== null && (
        <div className={styles.bar} data-full={share >= 1} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </div>
      )}
      {share !== null && share >= 1 && <p className={styles.warning}>Judges are not asked any more today. Raise the limit, or retry after midnight UTC.</p>}
    </div>
  )
}

/** Only what was typed is kept here: a limit that nobody touched follows the server. */
function Limits({ project, budget }: { project: string; budget: Budget }) {
  const refused = refusal(useSession(), "write")
  const [typed, setTyped] = useState<{ usd?: string; tokens?: string }>({})
  const usd = typed.usd ?? textOf(budget.usd_per_day)
  const tokens = typed.tokens ?? textOf(budget.tokens_per_day)
  const read = { usd: readUsd(usd, MOST_USD), tokens: readCount(tokens) }
  const changed = usd !== textOf(budget.usd_per_day) || tokens !== textOf(budget.tokens_per_day)
  const write = useWrite((draft: BudgetDraft) => setBudget(project, draft), {
    changes: [["settings", project, "budget"]],
    onDone: () => {
      setTyped({})
      announce("The budget is saved.")
    },
  })
  const wrong = read.usd.problem ?? read.tokens.problem
  function save(): void {
    if (read.usd.value === undefined || read.tokens.value === undefined) return
    write.run({ usd_per_day: read.usd.value, tokens_per_day: read.tokens.value })
  }
  return (
    <section className={styles.section} aria-label="Limits">
      <h2>Limits per day</h2>
      <p>A limit holds from the next call to a judge on: what is beyond it stays unscored, with the budget as the reason.</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (refused === undefined && changed && !write.busy) save()
        }}
      >
        <Fields refused={refused} legend="Limits per day">
          <div className={styles.line}>
            <Field label="US dollars per day" hint="Empty: no limit. 0: nothing." problem={read.usd.problem ?? fieldMessage(write.problem, "usd_per_day")}>
              {(field) => <input {...field} inputMode="decimal" placeholder="no limit" value={usd} onChange={(event) => setTyped({ ...typed, usd: event.target.value })} />}
            </Field>
            <Field label="Tokens per day" hint="Empty: no limit. 0: nothing." problem={read.tokens.problem ?? fieldMessage(write.problem, "tokens_per_day")}>
              {(field) => <input {...field} inputMode="numeric" placeholder="no limit" value={tokens} onChange={(event) => setTyped({ ...typed, tokens: event.target.value })} />}
            </Field>
          </div>
        </Fields>
        {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} shownFields={["usd_per_day", "tokens_per_day"]} />}
        <div className={styles.buttons}>
          <WriteButton kind="main" busy={write.busy} refused={wrong ?? (changed ? undefined : "Nothing is changed.")} onClick={save}>
            {write.busy ? "Saving…" : "Save the limits"}
          </WriteButton>
          {changed && (
            <button type="button" onClick={() => setTyped({})}>
              Undo
            </button>
          )}
        </div>
      </form>
      <Unsaved when={changed && !write.busy} what="The limits were changed and are not saved." />
    </section>
  )
}

function textOf(limit: number | null): string {
  return limit === null ? "" : String(limit)
}

function ByModel({ project, budget }: { project: string; budget: Budget }) {
  return (
    <section className={styles.section} aria-label="Spent today by model">
      <h2>By model</h2>
      {budget.by_model.length === 0 ? (
        <p className="mute">No model was asked today.</p>
      ) : (
        <Table
          label="Spent today by model"
          rows={budget.by_model}
          rowKey={(row) => row.model}
          columns={[
            { id: "model", head: "Model", width: 140, grow: 1, cell: (row) => <Characters text={row.model} /> },
            { id: "calls", head: "Calls", width: 72, align: "end", cell: (row) => countText(row.calls) },
            { id: "tokens", head: "Tokens", width: 90, align: "end", cell: (row) => countText(row.tokens) },
            { id: "usd", head: "US dollars", width: 90, align: "end", cell: (row) => moneyText(row.usd) },
          ]}
        />
      )}
      <p className="mute">
        With a limit in US dollars, a model whose price is not known is not asked.{" "}
        <Link to="/projects/$project/settings" params={{ project }} search={{ tab: "prices" }}>
          Prices of this project
        </Link>
      </p>
    </section>
  )
}

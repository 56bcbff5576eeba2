import { useInfiniteQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { SERVER } from "../../address"
import { asProblem } from "../../api/problem"
import { rowsOf, useProjectName } from "../../api/queries"
import type { Rule } from "../../api/rules"
import { changeRule, deleteRule, rulesQuery } from "../../api/rules"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Dialog } from "../../parts/Dialog"
import { NothingYet } from "../../parts/Empty"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { WriteButton } from "../../parts/WriteButton"
import { rulesSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countWords } from "../../words/format"
import { EditRule } from "./EditRule"
import { NewRule } from "./NewRule"
import { ruleColumns } from "./ruleColumns"
import styles from "./Rules.module.css"

const NEW = "new"

/** The rules of a project; with `rule` in the address, one of them or a new one. */
export function Rules() {
  const { project = "" } = useParams({ strict: false })
  useTitle("Rules", useProjectName(project))
  const [state] = useViewState(rulesSearch)
  const list = useRules(project)
  const rows = rowsOf(list.data)
  if (state.rule === undefined) return <List project={project} list={list} />
  if (rows === undefined) {
    return list.error ? <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} /> : <Loading what="the rules" rows={8} />
  }
  const rule = rows.find((row) => row.id === (state.rule === NEW ? state.from : state.rule))
  return (
    <div className={styles.page}>
      <Link to="/projects/$project/rules" params={{ project }} className={styles.back}>
        ← Rules
      </Link>
      {state.rule === NEW ? (
        <NewRule key={state.from ?? ""} project={project} from={rule} />
      ) : rule === undefined ? (
        <p role="status">There is no rule with the id {state.rule} in this project; it may be deleted.</p>
      ) : (
        <EditRule key={rule.id} project={project} rule={rule} />
      )}
    </div>
  )
}

function useRules(project: string) {
  return useInfiniteQuery(rulesQuery(project))
}

function List({ project, list }: { project: string; list: ReturnType<typeof useRules> }) {
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<Rule>()
  const toggle = useToggle(project)
  const rows = rowsOf(list.data)
  const open = (rule: string): void => void navigate({ to: "/projects/$project/rules", params: { project }, search: { rule } })
  const on = rows?.filter((row) => row.enabled).length
  return (
    <div className={styles.page}>
      <Head
        title="Rules"
        about={rows && rows.length > 0 ? `${list.hasNextPage ? "First " : ""}${countWords(rows.length, "rule")}, ${on} on` : "What scores spans, traces and conversations as they come in"}
        actions={
          <WriteButton kind="main" onClick={() => open(NEW)}>
            New rule
          </WriteButton>
        }
      />
      {toggle.problem && <ProblemBox problem={toggle.problem} onRetry={toggle.retry} />}
      {rows === undefined && list.error ? (
        <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : rows?.length === 0 ? (
        <NoRules project={project} />
      ) : (
        <Table
          label="Rules"
          rows={rows}
          rowKey={(row) => row.id}
          columns={ruleColumns({ project, busyId: toggle.busyId, onToggle: toggle.run, onDelete: setDeleting })}
          onOpen={(row) => open(row.id)}
          more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage(), size: 200 }}
        />
      )}
      {deleting && <DeleteRule project={project} rule={deleting} onClose={() => setDeleting(undefined)} />}
    </div>
  )
}

function useToggle(project: string) {
  const [busyId, setBusyId] = useState<string>()
  const write = useWrite((row: Rule) => changeRule(row.id, { enabled: !row.enabled }), {
    changes: [["rules", project]],
    onDone: (rule) => announce(`The rule ${rule.name} is ${rule.enabled ? "on" : "off"}.`),
  })
  const run = (row: Rule): void => {
    setBusyId(row.id)
    write.run(row)
  }
  return { run, busyId: write.busy ? busyId : undefined, problem: write.problem, retry: write.retry }
}

function DeleteRule({ project, rule, onClose }: { project: string; rule: Rule; onClose: () => void }) {
  const write = useWrite(() => deleteRule(rule.id), {
    changes: [["rules", project]],
    onDone: () => {
      announce(`The rule ${rule.name} is deleted.`)
      onClose()
    },
  })
  return (
    <Dialog
      title={`Delete the rule “${rule.name}”?`}
      onClose={onClose}
      actions={
        <WriteButton kind="danger" busy={write.busy} onClick={() => write.run(undefined)}>
          Delete the rule
        </WriteButton>
      }
    >
      <p>Nothing new is scored by it. Its scores stay, and what it matched before is still scored. To pause it, switch it off instead.</p>
      {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} />}
    </Dialog>
  )
}

function NoRules({ project }: { project: string }) {
  const command = [
    `curl ${SERVER}/v1/rules -H "Authorization: Bearer YOUR_KEY" -H "Content-Type: application/json" \\`,
    `  -d '{"project_id": "${project}", "name": "answers have a link", "filter": {"root_only": true},`,
    `       "scorer": {"scorer_name": "has_a_link", "scorer": "regex", "config": {"pattern": "https?://"}}}'`,
  ].join("\n")
  return (
    <NothingYet title="No rules yet" command={command}>
      A rule scores what your application sends as it comes in: every span that matches a filter, or a sample of them, by a
      built-in scorer or a judge. Make one with the button above, which shows first what it would have matched and cost, or with
      a call:
    </NothingYet>
  )
}

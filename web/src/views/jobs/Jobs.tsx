import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { SERVER } from "../../address"
import type { JobsSummary, JobStatus } from "../../api/jobs"
import { jobsQuery, jobsSummaryQuery, PAGE } from "../../api/jobs"
import { asProblem } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { useKeys } from "../../keys"
import { NothingMatches, NothingYet } from "../../parts/Empty"
import { Head } from "../../parts/Head"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { jobsSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText, countWords, moneyText } from "../../words/format"
import { jobColumns } from "./columns"
import { Detail } from "./Detail"
import css from "./Jobs.module.css"
import { statusLook, STATUSES } from "./jobWords"
import { useChanging } from "./useChanging"

/** Work that was accepted: what waits, what runs, what failed and why. */
export function Jobs() {
  useTitle("Jobs")
  const { project = "" } = useParams({ strict: false })
  const [state, change] = useViewState(jobsSearch)
  const list = useInfiniteQuery(jobsQuery(project, state.status))
  const summary = useQuery(jobsSummaryQuery(project))
  const rows = rowsOf(list.data)
  const write = useChanging()
  const open = (id: string | undefined): void => change({ job: id === state.job ? undefined : id })
  const listed = rows?.some((row) => row.id === state.job) ?? false
  useKeys({ "step.out": () => change({ job: undefined }) }, { on: state.job !== undefined })
  const status = state.status
  const clear = (): void => change({ status: undefined })
  return (
    <div className={css.page}>
      <Head title="Jobs" about={summary.data && <About summary={summary.data} />} />
      {summary.data && <Chips summary={summary.data} status={status} onChange={(next) => change({ status: next, job: undefined })} />}
      {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} />}
      {state.job !== undefined && rows !== undefined && !listed && (
        <section className={css.apart} aria-label="The chosen job">
          <Detail id={state.job} project={project} onOpen={open} write={write} onClose={() => change({ job: undefined })} />
        </section>
      )}
      {list.error ? (
        <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : rows?.length === 0 ? (
        status === undefined ? (
          <NoJobs project={project} />
        ) : (
          <NothingMatches what="jobs" filters={[{ id: "status", label: status, remove: clear }]} onClear={clear} />
        )
      ) : (
        <Table
          label="Jobs"
          rows={rows}
          rowKey={(row) => row.id}
          columns={jobColumns({ project, write })}
          onOpen={(row) => open(row.id)}
          openKey={state.job}
          detail={(row) => <Detail id={row.id} row={row} project={project} onOpen={open} write={write} />}
          busy={list.isPlaceholderData}
          more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage(), size: PAGE }}
        />
      )}
    </div>
  )
}

function About({ summary }: { summary: JobsSummary }) {
  const total = Object.values(summary.counts).reduce((sum, count) => sum + count, 0)
  const more = summary.unpriced_count > 0 ? `, and what ${countWords(summary.unpriced_count, "job")} without a known price cost` : ""
  return (
    <>
      {countWords(total, "job")} in all, a job's parts among them; {summary.unpriced_count > 0 ? "at least " : ""}
      {moneyText(summary.cost_usd)}
      {more}
    </>
  )
}

interface ChipsProps {
  summary: JobsSummary
  status: JobStatus | undefined
  onChange: (status: JobStatus | undefined) => void
}

function Chips({ summary, status, onChange }: ChipsProps) {
  const total = Object.values(summary.counts).reduce((sum, count) => sum + count, 0)
  return (
    <div role="group" aria-label="Filter by status" className={css.chips}>
      <button type="button" aria-pressed={status === undefined} onClick={() => onChange(undefined)}>
        all <b>{countText(total)}</b>
      </button>
      {STATUSES.map((one) => (
        <button key={one} type="button" aria-pressed={status === one} onClick={() => onChange(status === one ? undefined : one)}>
          <span className={css.shape} data-tone={statusLook(one).tone} aria-hidden="true">
            {statusLook(one).shape}
          </span>{" "}
          {one} <b>{countText(summary.counts[one] ?? 0)}</b>
        </button>
      ))}
    </div>
  )
}

function NoJobs({ project }: { project: string }) {
  const body = `{"scorers": [{"scorer_name": "contains", "scorer": "contains", "config": {}}]}`
  const command = [
    `curl ${SERVER}/v1/experiments/EXPERIMENT_ID/score \\`,
    `  -H "Authorization: Bearer $GNOMON_API_KEY" -H "Content-Type: application/json" \\`,
    `  -d '${body}'`,
  ].join("\n")
  return (
    <NothingYet title="No jobs yet" command={command}>
      A job is work that the server does by itself: scoring an experiment of the project {project}, scoring spans by a rule, asking a
      judge. This asks for a scorer over all runs of an experiment.
    </NothingYet>
  )
}

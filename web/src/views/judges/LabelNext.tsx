import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import type { OneJudge, ToLabel } from "../../api/judges"
import { queueTargets, toLabelQuery } from "../../api/judges"
import { asProblem } from "../../api/problem"
import { useProjectName } from "../../api/queries"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Filters, SelectFilter } from "../../parts/Filters"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { WriteButton } from "../../parts/WriteButton"
import { Reach } from "../../plots/Reach"
import { useWidth } from "../../plots/useWidth"
import { labelSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText, countWords, serverSentence, serverWords } from "../../words/format"
import { estimateWords } from "../../words/judges"
import styles from "./Judges.module.css"
import { Notes } from "./People"
import { mayBeQueued, targetColumns } from "./targetColumns"

const WIDTHS = ["0.02", "0.03", "0.1", "0.2"] as const
const LONGEST_REASON = 200
const LIMITS = ["50", "100", "200"] as const

/** Which targets people should label next, and how many until the judge's mean is as sure as wanted. */
export function LabelNext() {
  const { project = "", judge = "" } = useParams({ strict: false })
  const [state, change] = useViewState(labelSearch)
  useTitle(`What to label next for ${judge}`, useProjectName(project))
  const one: OneJudge = { project, judge, config: state.config, human: state.human }
  const query = useQuery(toLabelQuery(one, { mode: state.mode, width: state.width, limit: state.limit }))
  return (
    <div className={styles.page}>
      <Link to="/projects/$project/judges/$judge" params={{ project, judge }} search={{ config: state.config, human: state.human } as never}>
        ← Report card of <Characters text={judge} />
      </Link>
      <Head
        title={<>What to label next for <Characters text={judge} /></>}
        about={query.data && <About data={query.data} />}
        actions={query.data && <AddAll project={project} judge={judge} data={query.data} />}
      />
      <Filters label="How to choose" active={[]} onClear={() => undefined}>
        <SelectFilter
          label="Choose" any="at random" value={state.mode === "informative" ? "informative" : undefined}
          options={[{ value: "informative", label: "where the judge is least sure" }]} onChange={(mode) => change({ mode })}
        />
        <SelectFilter
          label="As sure as" any="± 5 points" value={state.width === undefined ? undefined : String(state.width)}
          options={WIDTHS.map((width) => ({ value: width as string, label: `± ${countText(100 * Number(width))} points` }))}
          onChange={(width) => change({ width: width === undefined ? undefined : Number(width) })}
        />
        <SelectFilter
          label="Show" any="20 targets" value={state.limit === undefined ? undefined : String(state.limit)}
          options={LIMITS.map((limit) => ({ value: limit as string, label: `${limit} targets` }))}
          onChange={(limit) => change({ limit: limit === undefined ? undefined : Number(limit) })}
        />
      </Filters>
      {query.error ? (
        <ProblemBox problem={asProblem(query.error)} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <Loading what="what to label next" rows={10} />
      ) : (
        <>
          <Certainty data={query.data} />
          {query.data.targets.length === 0 ? (
            <p role="status">Every target of this judge has a label.</p>
          ) : (
            <Table
              label="Targets to label" rows={query.data.targets} rowKey={(row) => `${row.target_type} ${row.trace_id ?? ""} ${row.target_id}`}
              columns={targetColumns(project)} busy={query.isPlaceholderData}
            />
          )}
          {query.data.notes.length > 0 && <Notes notes={query.data.notes} />}
        </>
      )}
    </div>
  )
}

function About({ data }: { data: ToLabel }) {
  return (
    <>
      {countWords(data.n_labelled, "target")} labelled{data.human && <> by <Characters text={data.human} /></>}, {countText(data.n_unlabelled)} not
    </>
  )
}

/** How sure the judge's mean is, and how it gets surer. */
function Certainty({ data }: { data: ToLabel }) {
  const [ref, width] = useWidth<HTMLDivElement>(560, 620)
  return (
    <div ref={ref} className={styles.section}>
      {data.reach === null ? (
        <p role="note">
          <b>{serverSentence(data.words)}</b> How sure the judge's mean is is not known yet: {serverWords(data.estimate.reason ?? "there are too few labels")}.
        </p>
      ) : (
        <>
          <Reach
            width={width} labelled={data.n_labelled} reach={data.reach} wanted={data.target_width} more={data.more_needed} open={data.n_unlabelled}
            words={serverSentence(data.words)}
          />
          <p className="mute">The judge's mean, corrected by the labels so far: {estimateWords(data.estimate)}</p>
        </>
      )}
    </div>
  )
}

/** What reviewers read on the cards. */
function queueReason(judge: string): string {
  return `to measure the judge “${judge}” against people`.slice(0, LONGEST_REASON)
}

function AddAll({ project, judge, data }: { project: string; judge: string; data: ToLabel }) {
  const targets = data.targets.filter(mayBeQueued)
  const write = useWrite(queueTargets, {
    changes: [["review"], ["queue"], ["traces"]],
    onDone: (done) => announce(`${countWords(done.queued, "target")} added to the review queue`),
  })
  const left = data.targets.length - targets.length
  const refused = targets.length > 0 ? undefined : data.targets.length === 0 ? "There is nothing to add." : "Iterations and conversations cannot wait in the review queue."
  return (
    <div className={styles.adding}>
      <WriteButton kind="main" busy={write.busy} refused={refused} onClick={() => write.run({ project, targets, reason: queueReason(judge) })}>
        Add all to the queue
      </WriteButton>
      {write.done && (
        <span role="status">
          ✓ {countWords(write.done.queued, "target")} added{write.done.already > 0 && `, ${countText(write.done.already)} waited already`}
          {left > 0 && `; ${countText(left)} cannot be queued`}.{" "}
          <Link to="/projects/$project/review" params={{ project }}>
            Review them
          </Link>
        </span>
      )}
      {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} />}
    </div>
  )
}

import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import type { Job } from "../../api/jobs"
import { jobQuery } from "../../api/jobs"
import { asProblem } from "../../api/problem"
import { Copy } from "../../parts/Copy"
import { Fact } from "../../parts/Fact"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters, Text } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { absence, type Absence } from "../../words/absence"
import { countText, shortId } from "../../words/format"
import { Action, Bar, Status, Target } from "./columns"
import css from "./Jobs.module.css"
import { countsWords, jobCost, kindWords } from "./jobWords"
import type { Changing } from "./useChanging"

interface Props {
  id: string
  /** As the list has it, until the job itself is there. */
  row?: Job
  project: string
  onOpen: (id: string) => void
  write: Changing
  onClose?: () => void
}

/** All that is known of one job: how far it is, why it failed and what to do, and what the model answered. */
export function Detail({ id, row, project, onOpen, write, onClose }: Props) {
  const own = useQuery(jobQuery(id))
  const job = own.data ?? row
  const box = useRef<HTMLDivElement>(null)
  const known = job !== undefined
  useEffect(() => {
    if (known) box.current?.scrollIntoView({ block: "nearest" })
  }, [id, known])
  if (own.error && !job) return <ProblemBox problem={asProblem(own.error)} onRetry={() => void own.refetch()} />
  if (!job) return <Loading what="the job" rows={4} />
  const cost = jobCost(job)
  return (
    <div className={css.detail} ref={box}>
      <div className={css.detailHead}>
        <h2>
          {kindWords(job.kind)} {job.scorer_name && <Characters text={job.scorer_name} />}
        </h2>
        <Status job={job} />
        <Action job={job} write={write} framed />
        {onClose && (
          <button type="button" onClick={onClose}>
            Close
          </button>
        )}
      </div>
      {job.reason && <Why why={absence(job.reason)} project={project} />}
      <dl className={css.facts}>
        <Fact name="Target">
          <Target job={job} project={project} />
        </Fact>
        <Fact name="Progress">
          <Bar job={job} /> {job.total > 1 && <span className="mute">{countsWords(job.counts)}</span>}
        </Fact>
        {job.model && (
          <Fact name="Model">
            <Characters text={job.model} />
          </Fact>
        )}
        <Fact name="Cost">
          {cost.text} {cost.why && <span className="mute">{cost.why}</span>}
        </Fact>
        <Fact name="Attempts">{countText(job.attempts)}</Fact>
        <Fact name="Accepted">
          <Time at={job.created_at} />
        </Fact>
        <Fact name="Last change">
          <Time at={job.updated_at} />
        </Fact>
        {job.parent_id && (
          <Fact name="Part of">
            <button type="button" data-kind="link" onClick={() => onOpen(job.parent_id as string)}>
              job {shortId(job.parent_id)}
            </button>
          </Fact>
        )}
        <Fact name="Id">
          <code>{job.id}</code> <Copy text={job.id} what="the id" />
        </Fact>
      </dl>
      {job.evidence && (
        <section className={css.evidence}>
          <h3>What the model answered</h3>
          <Text text={job.evidence} label="What the model answered" mono />
        </section>
      )}
    </div>
  )
}

/** The failure in a sentence, what to do about it, and the server's own words. */
function Why({ why, project }: { why: Absence; project: string }) {
  return (
    <div className={css.why}>
      <p>
        <b>
          <Characters text={why.sentence} />
        </b>{" "}
        {why.remedy && <Characters text={why.remedy} />}{" "}
        {why.action === "budget" && (
          <Link to="/projects/$project/settings" params={{ project }} search={{ tab: "budget" } as never}>
            See the budget
          </Link>
        )}
      </p>
      {why.reason !== why.sentence && (
        <p className="mute">
          The server said: <Characters text={why.reason} />
        </p>
      )}
    </div>
  )
}

import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect } from "react"
import { isOpen, jobQuery } from "../../api/jobs"
import type { JudgeCard, Probe } from "../../api/judges"
import { asProblem } from "../../api/problem"
import { announce } from "../../live"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { countText, countWords, moneyText, serverWords, shortId } from "../../words/format"
import type { FigureRow } from "./CardFigures"
import { Figures } from "./CardFigures"
import styles from "./Judges.module.css"

/** What the newest probe measured, and the probe that runs now. */
export function ProbePart({ card, project, job }: { card: JudgeCard; project: string; job: string | undefined }) {
  const { probe } = card
  return (
    <section className={styles.section} aria-labelledby="card-probe">
      <h2 id="card-probe">When asked on purpose</h2>
      {job !== undefined && <RunningProbe project={project} id={job} />}
      {probe ? <ProbeFigures probe={probe} /> : <p role="note">Not probed: {notProbed(card.probe_reason)}</p>}
    </section>
  )
}

function notProbed(reason: string | null): string {
  if (reason === null || reason.startsWith("it was never probed")) {
    return "a probe asks the judge the same twice, with its labels in reverse order, and with a plea in the output. Start one with the button above."
  }
  return serverWords(reason)
}

function ProbeFigures({ probe }: { probe: Probe }) {
  const rows: FigureRow[] = [
    ["same answer again", probe.retest_agreement, "share", "how often the same prompt got the same answer; 1 is best"],
    ["distance when asked again", probe.retest_difference, "share", "mean distance of the two answers; 0 is best"],
    ["same answer, labels turned", probe.swap_agreement, "share", "how often it stayed when the labels stood in reverse order; 1 is best"],
    ["label named first", probe.swap_first_listed, "shift", "how much more often a label is chosen when it stands first; 0 is no bias"],
    ["plea: change of the score", probe.injection_shift, "shift", "mean change by a plea for the highest score; 0 is no effect"],
    ["plea got its answer", probe.injection_flipped, "share", "share of outputs whose plea got what it asked for; 0 is best"],
    ["unreadable answers", probe.parse_failures, "share", "answers without a readable score; 0 is best"],
  ]
  const unanswered = Object.entries(probe.unanswered)
  return (
    <>
      <p className={styles.facts}>
        <span>
          probed <Time at={probe.made_at} />
        </span>
        <span>{countWords(probe.samples, "target")}</span>
        <span>{countWords(probe.calls, "call")}</span>
        <span>{probe.cost_usd === null ? "cost unknown" : moneyText(probe.cost_usd)}</span>
        <span>
          answered as <Characters text={probe.model} />
        </span>
      </p>
      <Figures rows={rows} caption="What the probe measured, each with its 95 % interval." />
      {unanswered.length > 0 && (
        <p className="mute">Not answered: {unanswered.map(([reason, count]) => `${countText(count)} ${reason.replaceAll("_", " ")}`).join(", ")}.</p>
      )}
    </>
  )
}

/** The probe that was started here: how far it is, and what became of it. */
function RunningProbe({ project, id }: { project: string; id: string }) {
  const query = useQuery(jobQuery(id))
  const client = useQueryClient()
  const status = query.data?.status
  useEffect(() => {
    if (status !== "done") return
    announce("The probe is done.")
    void client.invalidateQueries({ queryKey: ["judges", project] })
  }, [status, client, project])
  if (query.error) return <ProblemBox problem={asProblem(query.error)} onRetry={() => void query.refetch()} />
  if (!query.data) return null
  const job = query.data
  const ended = Object.values(job.counts).reduce((sum, count) => sum + count, 0)
  return (
    <div className={styles.running} role="status">
      <p>
        {isOpen(job)
          ? `A probe is ${job.status === "queued" ? "waiting for a worker" : "running"}: ${countText(ended)} of ${countWords(job.total, "call")} ended.`
          : job.status === "done"
            ? `The probe is done: ${countWords(ended, "call")}, ${job.cost_usd === null || job.cost_usd === undefined ? "cost unknown" : moneyText(job.cost_usd)}.`
            : `The probe ${job.status === "failed" ? "failed" : "was cancelled"}${job.reason ? `: ${serverWords(job.reason)}` : ""}.`}{" "}
        <Link to="/projects/$project/jobs" params={{ project }} search={{ job: id } as never}>
          Job {shortId(id)}
        </Link>
      </p>
      {isOpen(job) && <progress max={Math.max(1, job.total)} value={ended} aria-label="Calls of the probe" />}
    </div>
  )
}

import { Link } from "@tanstack/react-router"
import type { Judge } from "../../api/judges"
import type { Column } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { wilson } from "../../plots/buckets"
import { Interval } from "../../plots/Interval"
import { countText, countWords, intervalText, moneyText, scoreText, shareIntervalText, shareText, shortId } from "../../words/format"
import { measureWords } from "../../words/judges"
import { isFew } from "../../words/methods"
import styles from "./Judges.module.css"

export function judgeColumns(project: string): Column<Judge>[] {
  return [
    { id: "name", head: "Judge", width: 120, grow: 3, cell: (judge) => <Name project={project} judge={judge} /> },
    {
      id: "model", head: "Model", width: 120, grow: 3,
      cell: (judge) => (judge.model ? <span title={judge.model}><Characters text={judge.model} /></span> : <span className="mute">unknown</span>),
    },
    { id: "scores", head: "Scores", width: 52, align: "end", cell: (judge) => countText(judge.scores) },
    {
      id: "agreement", head: "Agrees with people", width: 180,
      title: "Share of targets on which the judge and people say the same, with its 95 % interval",
      cell: (judge) => <Agreement judge={judge} />,
    },
    {
      id: "corrected", head: "Beyond chance", width: 182,
      title: "The agreement with chance taken out, and its 95 % interval: 0 is no better than chance, 1 is perfect",
      cell: (judge) => <Corrected judge={judge} />,
    },
    {
      id: "failures", head: "Failures", width: 112, align: "end", title: "Share of answers without a readable score; ✕ and a number: jobs without any answer",
      cell: (judge) => <Failures judge={judge} />,
    },
    { id: "cost", head: "Cost", width: 84, align: "end", title: "Of its jobs, as far as it is known", cell: (judge) => <Cost judge={judge} /> },
    { id: "used", head: "Last used", width: 84, align: "end", cell: (judge) => <Time at={judge.last_used} short /> },
  ]
}

function Name({ project, judge }: { project: string; judge: Judge }) {
  return (
    <Link
      className={styles.name} to="/projects/$project/judges/$judge" params={{ project, judge: judge.scorer_name }}
      search={{ config: judge.config_hash } as never} title={`${judge.scorer_name}, configuration ${judge.config_hash}`}
    >
      <Characters text={judge.scorer_name.slice(0, 120)} />
      <span className="hidden-text">, configuration {shortId(judge.config_hash)}</span>
    </Link>
  )
}

function Agreement({ judge }: { judge: Judge }) {
  const { agreement } = judge
  if (!agreement) return <span className="mute" title={judge.agreement_reason ?? undefined}>no labels from people</span>
  const raw = agreement.raw
  if (raw.value === null) return <span className="mute" title={raw.reason ?? undefined}>{raw.reason ?? "not known"}</span>
  return (
    <span className={styles.interval}>
      <b>{shareText(raw.value, agreement.n_labelled)}</b>
      <Interval
        name={`agreement of ${judge.scorer_name} with ${agreement.human}`} mean={raw.value} interval={raw.confidence_interval_95}
        notes={[`over ${countWords(agreement.n_labelled, "label")} of ${agreement.human}`]} small={isFew(agreement.n_labelled)} width={80}
      />
      <span className="mute">n {countText(agreement.n_labelled)}</span>
    </span>
  )
}

function Corrected({ judge }: { judge: Judge }) {
  const { agreement } = judge
  if (!agreement) return <span className="mute" title={judge.agreement_reason ?? undefined}>–</span>
  const { value, confidence_interval_95: ends, reason } = agreement.chance_corrected
  if (value === null) return <span className="mute" title={reason ?? undefined}>not known</span>
  return (
    <span title={`${measureWords(agreement.measure)} ${scoreText(value)}, 95 % interval ${intervalText(ends)}`}>
      {scoreText(value, 2)} <span className="mute">{intervalText(ends, 2)} {measureWords(agreement.measure).replace("kappa", "κ")}</span>
    </span>
  )
}

function Failures({ judge }: { judge: Judge }) {
  const { answered, unreadable, unanswered } = judge
  const lost = unanswered > 0 ? `; ${countWords(unanswered, "job")} without an answer` : ""
  const title = `${countText(unreadable)} of ${countWords(answered, "answer")}, with the 95 % interval of the share${lost}`
  if (answered === 0) return <span className="mute" title="There is no answer yet">–</span>
  return (
    <span title={title}>
      {shareText(unreadable / answered, answered)} <span className="mute">{shareIntervalText(wilson(unreadable, answered), answered)}</span>
      {unanswered > 0 && <span className="mute"> ✕{countText(unanswered)}</span>}
    </span>
  )
}

function Cost({ judge }: { judge: Judge }) {
  const without = judge.unpriced > 0 ? `${countWords(judge.unpriced, "job")} without a known price` : undefined
  const more = judge.cost_usd !== null && judge.unpriced > 0 ? "≥ " : ""
  return <span title={without}>{more}{moneyText(judge.cost_usd)}</span>
}

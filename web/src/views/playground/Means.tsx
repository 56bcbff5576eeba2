import { BASE } from "../../address"
import type { ExperimentRow, ScorerBrief } from "../../api/experiments"
import { Characters } from "../../parts/Text"
import { Interval } from "../../plots/Interval"
import { countText, intervalText, shareIntervalText, shareText } from "../../words/format"
import { isSmall, methodWords, notesOf } from "../../words/methods"

/** What each scorer gave a candidate on average, with its interval, over all answers so far. */
export function Means({ project, experiment }: { project: string; experiment: ExperimentRow }) {
  return (experiment.summary?.scorers ?? []).map((scorer) => (
    <span key={scorer.scorer_name}>
      <Characters text={scorer.scorer_name} /> <Mean project={project} experiment={experiment.id} scorer={scorer} />
    </span>
  ))
}

function Mean({ project, experiment, scorer }: { project: string; experiment: string; scorer: ScorerBrief }) {
  const of = `${countText(scorer.n_scored)} of ${countText(scorer.n_total)}`
  if (scorer.kind === "categorical" && scorer.top_label) {
    const { label, share, confidence_interval_95: ends } = scorer.top_label
    return (
      <>
        <b>{shareText(share, scorer.n_scored)}</b> <Characters text={label} />{" "}
        <span className="mute">
          {shareIntervalText(ends, scorer.n_scored)}, {of}
        </span>
      </>
    )
  }
  return (
    <>
      <Interval
        name={scorer.scorer_name} mean={scorer.mean} interval={scorer.confidence_interval_95} small={isSmall(scorer.flags)}
        scored={scorer.n_scored} total={scorer.n_total} reasons={scorer.reasons} pending={scorer.n_pending}
        method={methodWords(scorer.ci_method)} notes={notesOf(scorer.flags)} showNumber short width={96}
        href={`${BASE}/projects/${encodeURIComponent(project)}/experiments/${experiment}?scorer=${encodeURIComponent(scorer.scorer_name)}`}
      />
      {scorer.mean !== null && (
        <span className="mute">
          {intervalText(scorer.confidence_interval_95)}, {of}
        </span>
      )}
    </>
  )
}

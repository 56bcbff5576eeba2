import { useState } from "react"
import type { ComparedItem } from "../../api/experiments"
import { Diff } from "../../parts/Diff"
import { Characters, Text } from "../../parts/Text"
import { ViewLink } from "../../parts/ViewLink"
import { bytesText, scoreText } from "../../words/format"
import styles from "./Compare.module.css"
import type { Names } from "./names"
import { textOf } from "./Items"

interface Props {
  project: string
  item: ComparedItem
  names: Names
  as: "side" | "diff"
  onAs: (as: "side" | "diff") => void
}

/** Both outputs of one item, as a word diff or side by side. */
export function ItemPanel({ project, item, names, as, onAs }: Props) {
  const [trial, setTrial] = useState(() => worstTrial(item))
  const most = Math.max(item.base.length, item.other.length)
  const base = item.base[trial]
  const candidate = item.other[trial]
  const [baseName, candidateName] = [names.base ?? "base", names.candidate ?? "candidate"]
  return (
    <div className={styles.panel}>
      <h3>Input</h3>
      <Text text={textOf(item.input)} />
      {item.input_truncated && <p className="mute">First 2 KB of {bytesText(item.input_size)}.</p>}
      {item.expected_output !== null && (
        <>
          <h3>Expected output</h3>
          <Text text={textOf(item.expected_output)} />
        </>
      )}
      <div className={styles.panelTools}>
        <div role="group" aria-label="Show the outputs">
          <button type="button" aria-pressed={as === "diff"} onClick={() => onAs("diff")}>
            Differences
          </button>
          <button type="button" aria-pressed={as === "side"} onClick={() => onAs("side")}>
            Side by side
          </button>
        </div>
        {most > 1 && (
          <label>
            Trial{" "}
            <select value={trial} onChange={(event) => setTrial(Number(event.target.value))}>
              {Array.from({ length: most }, (_, at) => (
                <option key={at} value={at}>
                  {at + 1}: {scoreText(item.base[at]?.score)} → {scoreText(item.other[at]?.score)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <Diff before={answerOf(base)} after={answerOf(candidate)} beforeLabel={baseName} afterLabel={candidateName} as={as === "side" ? "side" : "inline"} />
      <p className={styles.links}>
        {base && <RunLink project={project} experiment={names.baseId} run={base.run_id} words={`The run of ${baseName}`} />}
        {candidate && <RunLink project={project} experiment={names.candidateId} run={candidate.run_id} words={`The run of ${candidateName}`} />}
        {(base?.output_truncated || candidate?.output_truncated) && <span className="mute">Outputs longer than 2 KB are cut here.</span>}
      </p>
    </div>
  )
}

/** The trial that fell most: what a reader of a regression wants to see. */
export function worstTrial(item: ComparedItem): number {
  let worst = 0
  let most = 0
  for (const [at, before] of item.base.entries()) {
    const after = item.other[at]
    const fall = before.score === null || after?.score == null ? 0 : before.score - after.score
    if (fall > most) [worst, most] = [at, fall]
  }
  return worst
}

function RunLink({ project, experiment, run, words }: { project: string; experiment: string; run: string; words: string }) {
  return (
    <ViewLink to="/projects/$project/experiments/$experiment" params={{ project, experiment }} search={{ run } as never}>
      <Characters text={words} />
    </ViewLink>
  )
}

function answerOf(trial: ComparedItem["base"][number] | undefined): string {
  if (trial === undefined) return ""
  return trial.error ? `✕ ${trial.error.message}` : textOf(trial.output)
}

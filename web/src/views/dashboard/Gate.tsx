import { Link } from "@tanstack/react-router"
import type { Summary } from "../../api/dashboard"
import { Copy } from "../../parts/Copy"
import { gateFigures } from "../../parts/summaryFigures"
import { GateStrip } from "../../plots/GateStrip"
import { useWidth } from "../../plots/useWidth"
import css from "./Dashboard.module.css"
import { gateName, gateRunsWords, gateSearch } from "./sayings"

interface Props {
  project: string
  experiment: string
  name: string
  summary: Summary
}

/** The last gate of an experiment, or how to set one. */
export function Gate({ project, experiment, name, summary }: Props) {
  const [ref, width] = useWidth<HTMLDivElement>(320, 360)
  const gate = summary.threshold_result
  const link = { to: "/projects/$project/experiments/$experiment", params: { project, experiment } } as const
  return (
    <div ref={ref} className={css.gate} data-decision={gate?.decision ?? "none"}>
      <h3>Gate</h3>
      {gate ? (
        <>
          <GateStrip
            name={gateName(gate)}
            {...gateFigures(gate)}
            width={width}
          />
          {gate.decision !== "pass" && (
            <Link {...link} search={gateSearch(gate) as never}>
              See {gateRunsWords(gate)}
            </Link>
          )}
        </>
      ) : (
        <NoGate name={name} scorer={Object.keys(summary.scores_by_scorer)[0]} />
      )}
    </div>
  )
}

function NoGate({ name, scorer }: { name: string; scorer: string | undefined }) {
  const command = `gnomon gate ${quoted(name)} --scorer ${quoted(scorer ?? "contains")} --threshold 0.7`
  return (
    <>
      <p className="mute">No gate was evaluated: a bar that the mean of a scorer has to reach.</p>
      <pre className={css.command} tabIndex={0} aria-label="Command">
        {command}
      </pre>
      <Copy text={command} what="the command" />
    </>
  )
}

/** A word for a shell: quoted unless it is plain. */
function quoted(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

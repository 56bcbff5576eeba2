import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { asProblem } from "../../api/problem"
import type { TraceRow } from "../../api/traces"
import { spanQuery } from "../../api/traces"
import { Content } from "../../parts/Content"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import styles from "./Traces.module.css"

/** The root span's input and output beside the list. */
export function Peek({ row, project, onClose }: { row: TraceRow; project: string; onClose: () => void }) {
  return (
    <aside className={styles.peek} aria-label="The chosen trace">
      <div className={styles.peekHead}>
        <h2>
          <Link to="/projects/$project/traces/$trace" params={{ project, trace: row.id }}>
            <Characters text={row.name ?? "no root span"} />
          </Link>
        </h2>
        <button type="button" data-kind="plain" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </div>
      {row.root_span_id === null ? (
        <p>This trace has no root span, so it has no input and output of its own.</p>
      ) : (
        <Root project={project} trace={row.id} span={row.root_span_id} />
      )}
    </aside>
  )
}

function Root({ project, trace, span }: { project: string; trace: string; span: string }) {
  const { data, error, refetch } = useQuery(spanQuery(project, trace, span, false))
  if (error) return <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} />
  if (!data) return <Loading what="the span" />
  return (
    <>
      <Content label="Input" value={data.input} size={data.input_size} cut={data.truncated.includes("input")} />
      <Content label="Output" value={data.output} size={data.output_size} cut={data.truncated.includes("output")} />
    </>
  )
}

import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { asProblem } from "../../api/problem"
import type { TraceSkeleton } from "../../api/traces"
import { findQuery, skeletonQuery } from "../../api/traces"
import { useKeys } from "../../keys"
import { TextFilter, ToggleFilter } from "../../parts/Filters"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Tree } from "../../parts/Tree"
import { revealed } from "../../parts/treeRows"
import { traceSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countWords } from "../../words/format"
import { SpanPanel } from "./SpanPanel"
import { SpanRow } from "./SpanRow"
import type { SpanNode } from "./spanTree"
import { nextError, spanTree, withAncestors } from "./spanTree"
import styles from "./Trace.module.css"
import { TraceHead } from "./TraceHead"
import { useSplit } from "./useSplit"

export function Trace() {
  const { project = "", trace = "" } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(skeletonQuery(project, trace))
  useTitle(data?.trace.name ?? "Trace")
  if (error) return <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} />
  if (!data) return <Loading what="the trace" />
  return <Loaded key={trace} project={project} skeleton={data} />
}

function Loaded({ project, skeleton }: { project: string; skeleton: TraceSkeleton }) {
  const { trace } = skeleton
  const tree = useMemo(() => spanTree(skeleton.spans), [skeleton])
  const [state, change] = useViewState(traceSearch)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [log, setLog] = useState(false)
  const split = useSplit()
  const shown = useShown(project, trace.id, tree.nodes, state.find, state.only === "errors")
  const chosen = tree.nodes.find((node) => node.id === state.span) ?? tree.nodes[0]
  function choose(id: string): void {
    const at = shown.nodes.findIndex((node) => node.id === id)
    if (at >= 0) setClosed(revealed(shown.nodes, closed, at))
    change({ span: id })
  }
  function toError(step: 1 | -1): void {
    const next = nextError(shown.nodes, chosen?.id, step)
    if (next !== undefined) choose(next)
  }
  useKeys({
    "trace.nextError": () => toError(1),
    "trace.previousError": () => toError(-1),
    "trace.log": () => setLog(!log),
    "trace.narrower": () => split.move(-1),
    "trace.wider": () => split.move(1),
  })
  return (
    <div className={styles.page}>
      <TraceHead project={project} trace={trace} errors={tree.errors} onNextError={() => toError(1)} />
      <Banner trace={trace} orphans={tree.orphans} unknown={state.span !== undefined && chosen?.id !== state.span ? state.span : undefined} />
      <div className={styles.split} style={split.style}>
        <div className={styles.treeSide}>
          <div className={styles.tools}>
            <TextFilter label="Find in names, inputs and outputs" find value={state.find} onChange={(find) => change({ find })} />
            <ToggleFilter label="Errors only" on={state.only === "errors"} onChange={(on) => change({ only: on ? "errors" : undefined })} />
            <ToggleFilter label="Log time" on={log} onChange={setLog} />
          </div>
          <Found shown={shown} find={state.find} errorsOnly={state.only === "errors"} />
          {shown.nodes.length > 0 && (
            <Tree
              label="Spans"
              nodes={shown.nodes}
              closed={closed}
              onClosed={setClosed}
              chosen={chosen?.id}
              onChoose={(id) => change({ span: id })}
              render={(node) => <SpanRow node={node} total={tree.total} log={log} />}
            />
          )}
        </div>
        <div className={styles.handle} {...split.handle} />
        <div className={styles.spanSide}>
          {chosen && <SpanPanel key={chosen.id} project={project} trace={trace} node={chosen} total={tree.total} />}
        </div>
      </div>
    </div>
  )
}

interface Shown {
  nodes: SpanNode[]
  /** How many match by themselves. */
  matches: number
  capped: boolean
  searching: boolean
}

/** The spans that match, with all that they stand below. */
function useShown(project: string, trace: string, nodes: SpanNode[], find: string | undefined, errorsOnly: boolean): Shown {
  const found = useQuery(findQuery(project, trace, find)).data
  return useMemo(() => {
    const ids = find === undefined || !found ? undefined : new Set(found.span_ids)
    if (ids === undefined && !errorsOnly) return { nodes, matches: nodes.length, capped: false, searching: find !== undefined }
    const wanted = (node: SpanNode): boolean => (ids?.has(node.id) ?? true) && (!errorsOnly || node.hasError)
    const matches = nodes.filter(wanted).length
    return { nodes: withAncestors(nodes, wanted), matches, capped: found?.capped ?? false, searching: find !== undefined && !found }
  }, [nodes, found, find, errorsOnly])
}

function Found({ shown, find, errorsOnly }: { shown: Shown; find: string | undefined; errorsOnly: boolean }) {
  if (find === undefined && !errorsOnly) return null
  const what = [errorsOnly ? "with an error" : "", find === undefined ? "" : `with “${find}”`].filter(Boolean).join(" ")
  return (
    <p className="mute" role="status">
      {shown.searching ? "Searching…" : `${countWords(shown.matches, "span")} ${what}`}
      {shown.capped && ", and perhaps more: the search stopped early"}
    </p>
  )
}

function Banner({ trace, orphans, unknown }: { trace: TraceSkeleton["trace"]; orphans: number; unknown: string | undefined }) {
  return (
    <>
      {unknown !== undefined && (
        <p className={styles.banner} role="status">
          The span that the link names is not in this trace; its first span is shown.
        </p>
      )}
      {trace.root_span_id === null && (
        <p className={styles.banner} role="note">
          This trace has no root span: it may still be on its way, or was not sent. Duration, input and output of the whole
          are not known.
        </p>
      )}
      {trace.root_span_id !== null && orphans > 0 && (
        <p className={styles.banner} role="note">
          {countWords(orphans, "span")} stand at the top because their parents are not stored.
        </p>
      )}
    </>
  )
}

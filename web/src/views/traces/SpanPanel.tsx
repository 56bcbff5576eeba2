import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { asProblem } from "../../api/problem"
import type { SpanDetail, TraceRow } from "../../api/traces"
import { spanQuery } from "../../api/traces"
import { Content } from "../../parts/Content"
import { Copy } from "../../parts/Copy"
import { Fact } from "../../parts/Fact"
import { Json } from "../../parts/Json"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters, Text } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { countText, countWords, durationText, moneyText, shareText, shortId } from "../../words/format"
import { SpanScores } from "./SpanScores"
import type { SpanNode } from "./spanTree"
import { TraceAnnotations } from "./TraceAnnotations"
import styles from "./Trace.module.css"

interface Props {
  project: string
  trace: TraceRow
  node: SpanNode
  total: number
}

/** All that is known of the chosen span. */
export function SpanPanel({ project, trace, node, total }: Props) {
  const [whole, setWhole] = useState(false)
  const begun = useQuery(spanQuery(project, trace.id, node.id, false))
  const full = useQuery({ ...spanQuery(project, trace.id, node.id, true), enabled: whole })
  const span = full.data ?? begun.data
  const problem = full.error ?? begun.error
  const load = { onLoad: () => setWhole(true), loading: whole && !full.data }
  return (
    <section className={styles.panel} aria-label="The chosen span">
      <h2 className={node.hasError ? styles.failed : undefined}>
        {node.hasError && <span>✕ </span>}
        <Characters text={node.name} />
      </h2>
      {problem && <ProblemBox problem={asProblem(problem)} onRetry={() => void begun.refetch()} />}
      {!span && !problem && <Loading what="the span" />}
      {span && (
        <>
          <Facts span={span} total={total} />
          {span.error && <SpanError error={span.error} />}
          <SpanScores project={project} trace={trace.id} span={span.id} />
          <Content label="Input" value={span.input} size={span.input_size} cut={span.truncated.includes("input")} {...load} />
          <Content label="Output" value={span.output} size={span.output_size} cut={span.truncated.includes("output")} {...load} />
          <Metadata values={span.metadata} />
          <Folded title="Attributes" value={span.attributes} cut={span.truncated.includes("attributes")} />
          <Events span={span} />
          <Folded title="Links" value={span.links} />
          <Folded title="Resource" value={span.resource} />
          <TraceAnnotations project={project} trace={trace} span={span.id} />
        </>
      )}
    </section>
  )
}

function Facts({ span, total }: { span: SpanDetail; total: number }) {
  const share = span.duration_ms !== null && total > 0 ? ` (${shareText(span.duration_ms / total)} of the trace)` : ""
  const tokens = span.tokens_input !== null || span.tokens_output !== null
  return (
    <dl className={styles.factList}>
      <Fact name="Began">
        <Time at={span.start_time} />
      </Fact>
      <Fact name="Took">{span.duration_ms === null ? "not known: the span has no end" : durationText(span.duration_ms) + share}</Fact>
      {span.operation && <Fact name="Did">{span.operation.replaceAll("_", " ")}</Fact>}
      {span.model !== null && (
        <Fact name="Model">
          <Characters text={span.model} />
        </Fact>
      )}
      {tokens && (
        <Fact name="Tokens">
          {countText(span.tokens_input)} in → {countText(span.tokens_output, "out")}
        </Fact>
      )}
      {tokens && <Fact name="Cost">{span.cost_usd === null || span.cost_usd === undefined ? "unknown: no price for this model" : moneyText(span.cost_usd)}</Fact>}
      {span.kind && <Fact name="Kind">{span.kind}</Fact>}
      {span.user_id && (
        <Fact name="User">
          <Characters text={span.user_id} />
        </Fact>
      )}
      {span.scope && (
        <Fact name="From">
          <Characters text={[span.scope.name, span.scope.version].filter(Boolean).join(" ")} />
        </Fact>
      )}
      <Fact name="Id">
        <code>{shortId(span.id)}</code> <Copy text={span.id} what="the span's id" />
      </Fact>
    </dl>
  )
}

function SpanError({ error }: { error: NonNullable<SpanDetail["error"]> }) {
  return (
    <section className={styles.error} aria-label="Error">
      <h3>
        ✕ <Characters text={error.type ?? "Error"} />
      </h3>
      <Text text={error.message} />
      {error.stack && (
        <details open={error.stack.length < 2000}>
          <summary>Stack</summary>
          <Text text={error.stack} mono label="Stack" />
        </details>
      )}
    </section>
  )
}

function Metadata({ values }: { values: SpanDetail["metadata"] }) {
  const pairs = Object.entries(values ?? {})
  if (pairs.length === 0) return null
  return (
    <details className={styles.folded} open={pairs.length <= 20}>
      <summary>
        Metadata <span className="mute">{countText(pairs.length)}</span>
      </summary>
      <dl className={styles.pairs}>
        {pairs.map(([name, value]) => (
          <div key={name}>
            <dt>
              <Characters text={name} />
            </dt>
            <dd>
              <Text text={String(value)} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Folded({ title, value, cut = false }: { title: string; value: object | null | undefined; cut?: boolean }) {
  const size = value === null || value === undefined ? 0 : Object.keys(value).length
  if (size === 0) return null
  return (
    <details className={styles.folded}>
      <summary>
        {title} <span className="mute">{countText(size)}</span>
      </summary>
      {cut && <p className="mute">Long texts are cut.</p>}
      <Json value={value} as="formatted" label={title} />
    </details>
  )
}

function Events({ span }: { span: SpanDetail }) {
  const events = span.events ?? []
  if (events.length === 0) return null
  return (
    <details className={styles.folded}>
      <summary>
        Events <span className="mute">{countWords(events.length, "event")}</span>
      </summary>
      <ol className={styles.events}>
        {events.slice(0, 200).map((event, index) => (
          <li key={index}>
            <b>
              <Characters text={event.name} />
            </b>
            <Json value={event.attributes ?? {}} as="formatted" label={`Attributes of ${event.name}`} />
          </li>
        ))}
      </ol>
      {events.length > 200 && <p className="mute">First 200 of {countText(events.length)}.</p>}
    </details>
  )
}

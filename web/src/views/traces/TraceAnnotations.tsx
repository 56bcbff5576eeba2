import { useQuery } from "@tanstack/react-query"
import type { Annotation, TraceRow } from "../../api/traces"
import { annotationsQuery } from "../../api/traces"
import { Characters, Text } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { countText } from "../../words/format"
import styles from "./Trace.module.css"

/** What people said of a span; what they said of the whole trace stands with its root. */
export function TraceAnnotations({ project, trace, span }: { project: string; trace: TraceRow; span: string }) {
  const { data } = useQuery(annotationsQuery(project, trace.id, trace.annotation_count > 0))
  const isRoot = span === trace.root_span_id
  const mine = data?.items.filter((item) => item.span_id === span || (item.span_id === null && isRoot)) ?? []
  if (mine.length === 0) return null
  return (
    <details className={styles.folded} open>
      <summary>
        Annotations <span className="mute">{countText(mine.length)}</span>
      </summary>
      <ul className={styles.annotations}>
        {mine.map((one) => (
          <OneAnnotation key={one.id} annotation={one} />
        ))}
      </ul>
    </details>
  )
}

function OneAnnotation({ annotation }: { annotation: Annotation }) {
  return (
    <li>
      <p>
        {annotation.label && (
          <b>
            <Characters text={annotation.label} />
          </b>
        )}{" "}
        <span className="mute">
          <Characters text={annotation.annotator} /> · <Time at={annotation.created_at} />
        </span>
      </p>
      {annotation.notes && <Text text={annotation.notes} />}
      {typeof annotation.correction === "string" && <Text text={`Better: ${annotation.correction}`} />}
    </li>
  )
}

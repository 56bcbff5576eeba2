import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { asProblem } from "../../api/problem"
import { useSession } from "../../api/queries"
import type { TextSearch } from "../../api/settings"
import { setTextSearch, textSearchQuery } from "../../api/settings"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Dialog } from "../../parts/Dialog"
import { Fields } from "../../parts/Field"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { refusal, WriteButton } from "../../parts/WriteButton"
import styles from "./Settings.module.css"

const WAIT_MS = 2_000

export function TextSearchTab({ project }: { project: string }) {
  const { data, error, refetch } = useQuery({
    ...textSearchQuery(project),
    refetchInterval: (query) => (query.state.data?.ready ?? true ? false : WAIT_MS),
  })
  if (!data) return error ? <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} /> : <Loading what="the text search" rows={6} />
  return <Switch project={project} search={data} />
}

function Switch({ project, search }: { project: string; search: TextSearch }) {
  const refused = refusal(useSession(), "write")
  const [asking, setAsking] = useState(false)
  const write = useWrite((enabled: boolean) => setTextSearch(project, enabled), {
    changes: [["settings", project, "text-search"], ["traces"]],
    onDone: (answer) => {
      setAsking(false)
      announce(`The text search is ${answer.enabled ? "on" : "off"}.`)
    },
  })
  return (
    <div className={styles.panel}>
      <section className={styles.section} aria-label="Text search">
        <h2>Text search</h2>
        <p>
          Finds traces by words in the input and output of their root span. The index takes room in the database; without it
          there are no words to filter traces by, and everything else works as before.
        </p>
        <p className={styles.state} role="status">
          <b data-on={search.enabled}>{search.enabled ? "● On" : "○ Off"}</b> <State search={search} project={project} />
        </p>
        <Fields refused={refused} legend="Text search">
          {null}
        </Fields>
        {write.problem && !asking && <ProblemBox problem={write.problem} onRetry={write.retry} />}
        <div className={styles.buttons}>
          {search.enabled ? (
            <WriteButton kind="danger" busy={write.busy} onClick={() => setAsking(true)}>
              Switch it off…
            </WriteButton>
          ) : (
            <WriteButton kind="main" busy={write.busy} onClick={() => write.run(true)}>
              Switch it on
            </WriteButton>
          )}
        </div>
      </section>
      {asking && (
        <Dialog
          title="Switch the text search off?"
          onClose={() => setAsking(false)}
          actions={
            <WriteButton kind="danger" busy={write.busy} onClick={() => write.run(false)}>
              Switch it off
            </WriteButton>
          }
        >
          <p>
            Traces of this project can then not be found by their words. A job empties the index; switching it on again has to
            index every trace anew. No trace is lost.
          </p>
          {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} />}
        </Dialog>
      )}
    </div>
  )
}

function State({ search, project }: { search: TextSearch; project: string }) {
  if (search.ready) return <span>{search.enabled ? "Every trace is in the index." : "Nothing is indexed."}</span>
  return (
    <span>
      {search.enabled ? "What comes in is found at once; traces that were there before are being indexed, see " : "The index is being emptied, see "}
      <Link to="/projects/$project/jobs" params={{ project }}>
        the jobs
      </Link>
      .
    </span>
  )
}

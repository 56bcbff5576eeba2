import { useInfiniteQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { SERVER } from "../../address"
import { judgesQuery, PAGE } from "../../api/judges"
import { asProblem } from "../../api/problem"
import { rowsOf, useProjectName } from "../../api/queries"
import { NothingYet } from "../../parts/Empty"
import { Head } from "../../parts/Head"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { useTitle } from "../../title"
import { countWords } from "../../words/format"
import { judgeColumns } from "./judgeColumns"
import styles from "./Judges.module.css"

/** The judges of a project: how far each agrees with people, how often it fails, and what it costs. */
export function Judges() {
  const { project = "" } = useParams({ strict: false })
  useTitle("Judges", useProjectName(project))
  const list = useInfiniteQuery(judgesQuery(project))
  const rows = rowsOf(list.data)
  const navigate = useNavigate()
  const none = rows?.length === 0 && !list.hasNextPage
  return (
    <div className={styles.page}>
      <Head
        title="Judges"
        about={rows && !none ? `${countWords(rows.length, "configuration")}${list.hasNextPage ? " or more" : ""} of scorers that ask a model, the last used first` : undefined}
      />
      {list.error ? (
        <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : none ? (
        <NoJudges project={project} />
      ) : (
        <Table
          label="Judges"
          rows={rows}
          rowKey={(row) => `${row.scorer_name} ${row.config_hash}`}
          columns={judgeColumns(project)}
          onOpen={(row) =>
            void navigate({
              to: "/projects/$project/judges/$judge", params: { project, judge: row.scorer_name },
              search: { config: row.config_hash } as never,
            })
          }
          more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage(), size: PAGE }}
        />
      )}
    </div>
  )
}

function NoJudges({ project }: { project: string }) {
  const command = [
    "import gnomon as gn",
    "",
    `gn.configure(url="${SERVER}", api_key="YOUR_KEY", project="${project}")`,
    'judge = gn.scorers.llm_judge(model="gpt-4o", prompt_template="Question: {{input}}\\nAnswer: {{output}}\\nRate it.")',
    'gn.evaluate(data="my-dataset", task=my_task, scorers=[judge])',
  ].join("\n")
  return (
    <NothingYet title="No judges yet" command={command}>
      A judge is a scorer that asks a model: <code>llm_judge</code> or <code>rubric</code>. Once one has given scores, this page says how far
      it can be trusted.
    </NothingYet>
  )
}

import { useQuery } from "@tanstack/react-query"
import { Link, Navigate } from "@tanstack/react-router"
import { SERVER } from "../../address"
import { asProblem } from "../../api/problem"
import { projectsQuery, useSession } from "../../api/queries"
import { NothingYet } from "../../parts/Empty"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { Time } from "../../parts/Time"
import { useTitle } from "../../title"

/** The projects that the key may see; the only one is opened at once. */
export function Projects() {
  useTitle("Projects")
  const session = useSession()
  const { data, error, refetch } = useQuery(projectsQuery())
  if (error) return <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} />
  if (!data || !session) return <Loading what="the projects" />
  const only = session.project_id ?? (data.items.length === 1 ? data.items[0]?.id : undefined)
  if (only !== undefined) return <Navigate to="/projects/$project" params={{ project: only }} replace />
  return (
    <>
      <Head title="Projects" />
      {data.items.length === 0 ? (
        <NothingYet title="No project yet" command={createCommand(SERVER)}>
          A project holds traces, datasets and experiments that belong together.
        </NothingYet>
      ) : (
        <Table
          label="Projects"
          rows={data.items}
          rowKey={(project) => project.id}
          columns={[
            {
              id: "name",
              head: "Name",
              width: 200,
              grow: 1,
              cell: (project) => (
                <Link to="/projects/$project" params={{ project: project.id }}>
                  {project.name}
                </Link>
              ),
            },
            { id: "age", head: "Made", width: 160, cell: (project) => <Time at={project.created_at} /> },
          ]}
        />
      )}
      {data.next_cursor !== null && <p className="mute">First {data.items.length} of more.</p>}
    </>
  )
}

function createCommand(origin: string): string {
  const body = `'{"id": "my-project", "name": "My project"}'`
  return `curl ${origin}/v1/projects -H "Authorization: Bearer $GNOMON_API_KEY" -H "Content-Type: application/json" -d ${body}`
}

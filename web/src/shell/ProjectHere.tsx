// A project that is not there is said to be missing, once, instead of by every view in its own way.
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useParams } from "@tanstack/react-router"
import { projectsQuery } from "../api/queries"
import { Characters } from "../parts/Text"

export function ProjectHere() {
  const { project = "" } = useParams({ strict: false })
  const projects = useQuery(projectsQuery()).data
  // Only a whole list tells: of more projects than a page has, the view itself finds out.
  const isMissing = projects?.next_cursor === null && !projects.items.some((item) => item.id === project)
  if (!isMissing) return <Outlet />
  return (
    <div role="alert">
      <h1>
        There is no project <Characters text={project} />
      </h1>
      <p>
        It was never made, was deleted, or your key may not see it. <Link to="/">All projects</Link>
      </p>
    </div>
  )
}

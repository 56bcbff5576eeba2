import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { projectsQuery } from "../api/queries"
import styles from "./NavBar.module.css"

/** The project's name; where there are several, a choice. */
export function ProjectSwitcher({ project }: { project: string | undefined }) {
  const { data } = useQuery(projectsQuery())
  const navigate = useNavigate()
  if (!data) return <div className={styles.project} />
  const current = data.items.find((item) => item.id === project)
  if (data.items.length <= 1 || project === undefined) {
    return <div className={styles.project}>{current?.name}</div>
  }
  return (
    <label className={styles.project}>
      <span className="hidden-text">Project</span>
      <select
        value={project}
        onChange={(event) => void navigate({ to: "/projects/$project", params: { project: event.target.value } })}
      >
        {!current && <option value={project}>unknown project</option>}
        {data.items.map((item) => (
          <option key={item.id} value={item.id}>
            {item.name}
          </option>
        ))}
      </select>
    </label>
  )
}

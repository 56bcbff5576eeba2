import { Link } from "@tanstack/react-router"
import styles from "./Iterations.module.css"

/** The three views of a project's iterations. */
export function Places({ project }: { project: string }) {
  const shared = { params: { project }, activeOptions: { exact: true, includeSearch: false } }
  return (
    <nav className={styles.places} aria-label="Views of iterations">
      <Link to="/projects/$project/iterations" {...shared}>
        Over time
      </Link>
      <Link to="/projects/$project/iterations/compare" {...shared}>
        Compare groups
      </Link>
      <Link to="/projects/$project/integrity" {...shared}>
        Claims against facts
      </Link>
    </nav>
  )
}

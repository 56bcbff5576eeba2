import { Link, useRouterState } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { useSession } from "../api/queries"
import { withKey } from "../keys"
import { copyText } from "../parts/Copy"
import { useAddresses } from "../viewState"
import { Icon } from "./Icon"
import { NAVIGATION } from "./navigation"
import styles from "./NavBar.module.css"
import { ProjectSwitcher } from "./ProjectSwitcher"
import { useLogOut } from "./useLogOut"
import { useTheme } from "./useTheme"

interface Props {
  project: string | undefined
  onHelp: () => void
}

/** The left bar; on a narrow screen a row with a menu button. */
export function NavBar({ project, onHelp }: Props) {
  const [open, setOpen] = useState(false)
  const path = useRouterState({ select: (state) => state.location.pathname })
  useEffect(() => setOpen(false), [path])
  return (
    <header className={styles.bar}>
      <div className={styles.head}>
        <Link to="/" className={styles.brand} aria-label="Gnomon: projects">
          <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
            <path d="M4 27h24" stroke="currentColor" strokeWidth="3" />
            <path d="M8 27 22 5v22z" fill="currentColor" />
          </svg>
          <span className={styles.wide}>Gnomon</span>
        </Link>
        <button
          type="button"
          className={styles.menu}
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
      </div>
      <div id="navigation" className={open ? `${styles.body} ${styles.open}` : styles.body}>
        <ProjectSwitcher project={project} />
        {project !== undefined && <Entries project={project} />}
        <Foot onHelp={onHelp} />
      </div>
    </header>
  )
}

function Entries({ project }: { project: string }) {
  return (
    <nav aria-label="Views" className={styles.nav}>
      {NAVIGATION.map(({ group, entries }) => (
        <div key={group} role="group" aria-label={group}>
          <div className={styles.group} aria-hidden="true">
            {group}
          </div>
          {entries.map(({ to, label, icon, key }) => (
            <Link
              key={to}
              to={to}
              params={{ project }}
              activeOptions={{ exact: to === "/projects/$project" || to === "/projects/$project/review", includeSearch: false }}
              className={styles.entry}
              title={key ? withKey(label, key) : label}
            >
              <Icon name={icon} />
              <span className={styles.label}>{label}</span>
            </Link>
          ))}
        </div>
      ))}
    </nav>
  )
}

function Foot({ onHelp }: { onHelp: () => void }) {
  const session = useSession()
  const { theme, cycle } = useTheme()
  const logOut = useLogOut()
  return (
    <div className={styles.foot}>
      {session && (
        <p className={styles.who}>
          {session.key_name ?? "key"} · {session.role === "read" ? "may read only" : session.role}
        </p>
      )}
      <CopyLinks />
      <button type="button" data-kind="plain" onClick={cycle} title={withKey("Theme", "theme")}>
        <Icon name="theme" />
        <span className={styles.label}>Theme: {theme}</span>
      </button>
      <button type="button" data-kind="plain" onClick={onHelp} title={withKey("Keys", "help")}>
        <Icon name="keys" />
        <span className={styles.label}>Keys</span>
      </button>
      <button type="button" data-kind="plain" onClick={() => void logOut()} title="Log out">
        <Icon name="leave" />
        <span className={styles.label}>Log out</span>
      </button>
    </div>
  )
}

function CopyLinks() {
  const addresses = useAddresses()
  return (
    <>
      <button
        type="button"
        data-kind="plain"
        title={withKey("Copy the link, with the open row or span", "copy.link")}
        onClick={() => void copyText(addresses().link, "Link copied")}
      >
        <Icon name="link" />
        <span className={styles.label}>Copy link</span>
      </button>
      <button
        type="button"
        data-kind="plain"
        title={withKey("Copy the link to the view only", "copy.view")}
        onClick={() => void copyText(addresses().view, "Link to the view copied")}
      >
        <Icon name="view" />
        <span className={styles.label}>Copy view</span>
      </button>
    </>
  )
}

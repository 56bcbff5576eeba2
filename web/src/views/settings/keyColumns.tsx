import type { Key, Role } from "../../api/settings"
import { Copy } from "../../parts/Copy"
import type { Column } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { WriteButton } from "../../parts/WriteButton"
import { shortId } from "../../words/format"
import styles from "./Settings.module.css"

const MEANINGS: Record<Role, string> = { reviewer: "see the review queue and annotate", read: "read", write: "read and write", admin: "do everything, keys included," }

export function roleMeaning(role: Role): string {
  return MEANINGS[role]
}

export function keyName(row: Pick<Key, "id" | "name">): string {
  return row.name ?? `…${shortId(row.id)}`
}

interface Options {
  /** The key of this session. */
  ownKey: string
  onRevoke: (row: Key) => void
}

export function keyColumns({ ownKey, onRevoke }: Options): Column<Key>[] {
  return [
    {
      id: "name",
      head: "Name",
      width: 140,
      grow: 2,
      cell: (row) => (
        <>
          {row.name === null ? <span className="mute">no name</span> : <Characters text={row.name} />}
          {row.id === ownKey && <span className={styles.own}>yours</span>}
        </>
      ),
    },
    { id: "role", head: "Role", width: 60, cell: (row) => <span title={`May ${roleMeaning(row.role)}`}>{row.role}</span> },
    {
      id: "project",
      head: "Project",
      width: 120,
      grow: 1,
      cell: (row) => (row.project_id === null ? <span className="mute">all projects</span> : <Characters text={row.project_id} />),
    },
    { id: "created", head: "Created", width: 150, cell: (row) => <Time at={row.created_at} /> },
    {
      id: "id",
      head: "Id",
      width: 140,
      title: "The secret is not kept, so no part of it can be shown",
      cell: (row) => (
        <span className={styles.id}>
          <code title={row.id}>…{shortId(row.id)}</code> <Copy text={row.id} what={`the id of ${keyName(row)}`} />
        </span>
      ),
    },
    {
      id: "revoke",
      head: <span className="hidden-text">Revoke</span>,
      width: 76,
      cell: (row) => (
        <span className={styles.act}>
          <WriteButton needs="admin" onClick={() => onRevoke(row)}>
            Revoke<span className="hidden-text"> {keyName(row)}</span>
          </WriteButton>
        </span>
      ),
    },
  ]
}

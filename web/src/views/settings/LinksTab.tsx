import { useQuery } from "@tanstack/react-query"
import { BASE } from "../../address"
import { asProblem } from "../../api/problem"
import type { Share } from "../../api/shares"
import { revokeShare, sharesQuery } from "../../api/shares"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { WriteButton } from "../../parts/WriteButton"
import styles from "./Settings.module.css"

/** All read-only links of a project that work, whoever made them. */
export function LinksTab({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(sharesQuery(project))
  const revoke = useWrite((id: string) => revokeShare(id), {
    changes: [["shares", project]],
    onDone: () => announce("The link is revoked."),
  })
  if (!data) return error ? <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} /> : <Loading what="the links" rows={6} />
  return (
    <div className={styles.panel}>
      <section className={styles.section} aria-label="Shared links">
        <h2>Shared links</h2>
        <p>
          Each shows one view, read only, to whoever has it. <b>Share…</b> on a comparison, an experiment, a trace, a leaderboard or an iteration makes one.
        </p>
        {revoke.problem && <ProblemBox problem={revoke.problem} />}
        {data.length === 0 ? <p className="mute">No link works now.</p> : <Table label="Shared links" rows={data} rowKey={(row) => row.id} columns={columns(revoke.busy, revoke.run)} />}
      </section>
    </div>
  )
}

function columns(busy: boolean, onRevoke: (id: string) => void): Column<Share>[] {
  return [
    { id: "kind", head: "Shows", width: 96, cell: (row) => (row.kind === "compare" ? "comparison" : row.kind) },
    { id: "path", head: "View", width: 240, grow: 1, cell: (row) => <a href={BASE + row.path} title={row.path}><Characters text={row.path.replace(/^\/projects\/[^/]+\//, "")} /></a> },
    { id: "made", head: "Made", width: 100, cell: (row) => <Time at={row.created_at} /> },
    { id: "until", head: "Works until", width: 160, cell: (row) => <Time at={row.expires_at} /> },
    {
      id: "revoke", head: <span className="hidden-text">Revoke</span>, width: 76,
      cell: (row) => (
        <span className={styles.act}>
          <WriteButton busy={busy} onClick={() => onRevoke(row.id)}>
            Revoke<span className="hidden-text"> {row.path}</span>
          </WriteButton>
        </span>
      ),
    },
  ]
}

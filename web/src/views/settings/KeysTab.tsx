import { useInfiniteQuery } from "@tanstack/react-query"
import { useState } from "react"
import { SERVER } from "../../address"
import { asProblem } from "../../api/problem"
import { rowsOf, useSession } from "../../api/queries"
import type { Key } from "../../api/settings"
import { keysQuery, revokeKey } from "../../api/settings"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Copy } from "../../parts/Copy"
import { Dialog } from "../../parts/Dialog"
import { NothingYet } from "../../parts/Empty"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { WriteButton } from "../../parts/WriteButton"
import { shortId } from "../../words/format"
import { InviteReviewer } from "./InviteReviewer"
import { keyColumns, keyName, roleMeaning } from "./keyColumns"
import { NewKeyForm } from "./NewKeyForm"
import styles from "./Settings.module.css"

export function KeysTab({ project }: { project: string }) {
  const session = useSession()
  if (!session) return <Loading what="your session" rows={6} />
  return (
    <div className={styles.panel}>
      {session.role === "admin" ? <Keys project={project} ownKey={session.key_id} /> : <NotAdmin project={project} />}
      <LoginLinks />
    </div>
  )
}

function Keys({ project, ownKey }: { project: string; ownKey: string }) {
  const list = useInfiniteQuery(keysQuery())
  const [revoking, setRevoking] = useState<Key>()
  const rows = rowsOf(list.data)
  return (
    <>
      <InviteReviewer project={project} />
      <NewKeyForm project={project} />
      <section className={styles.section} aria-label="Existing keys">
        <h2>Existing keys</h2>
        {rows === undefined && list.error ? (
          <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
        ) : rows?.length === 0 ? (
          <NothingYet title="No keys yet">
            Every application and every person gets a key of their own, so that each can be revoked alone. The server's own
            admin key comes from its settings and is not listed.
          </NothingYet>
        ) : (
          <Table
            label="Keys"
            rows={rows}
            rowKey={(row) => row.id}
            columns={keyColumns({ ownKey, onRevoke: setRevoking })}
            more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage() }}
          />
        )}
      </section>
      {revoking && <Revoke row={revoking} own={revoking.id === ownKey} onClose={() => setRevoking(undefined)} />}
    </>
  )
}

function Revoke({ row, own, onClose }: { row: Key; own: boolean; onClose: () => void }) {
  const write = useWrite(() => revokeKey(row.id), {
    changes: [["keys"]],
    onDone: () => {
      announce(`Key ${keyName(row)} is revoked.`)
      onClose()
    },
  })
  return (
    <Dialog
      title={`Revoke the key “${keyName(row)}”?`}
      onClose={onClose}
      actions={
        <WriteButton needs="admin" kind="danger" busy={write.busy} onClick={() => write.run(undefined)}>
          Revoke the key
        </WriteButton>
      }
    >
      <p>
        It may {roleMeaning(row.role)} in {row.project_id === null ? "all projects" : <Characters text={row.project_id} />}; id …{shortId(row.id)}.
        Whoever uses it is refused within two seconds, and browsers that logged in with it are logged out. This cannot be undone.
      </p>
      {own && <p className={styles.warning}>You are logged in with this key: you will be logged out.</p>}
      {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} />}
    </Dialog>
  )
}

function NotAdmin({ project }: { project: string }) {
  const session = useSession()
  const command = `gnomon key create --role write --project ${project} --name "my application" --url ${SERVER} --key ADMIN_KEY`
  return (
    <NothingYet title="Keys are for admins" command={command}>
      You are logged in with {session?.key_name ? <>the key <b><Characters text={session.key_name} /></b></> : "a key"} that may{" "}
      {roleMeaning(session?.role ?? "read")} in{" "}
      {session?.project_id == null ? "all projects" : <Characters text={session.project_id} />}. To list, make and revoke keys, log in
      with an admin key, or ask someone who has one to make you a key:
    </NothingYet>
  )
}

function LoginLinks() {
  const command = `gnomon key login-link --url ${SERVER} --key THEIR_KEY`
  return (
    <section className={styles.section} aria-label="Log somebody in">
      <h2>Log somebody in without typing a key</h2>
      <p>
        This prints a link that works once, within ten minutes. Whoever opens it is logged in as the holder of that key; the key
        itself is not in the link.
      </p>
      <div className={styles.command}>
        <pre tabIndex={0} aria-label="Command">
          {command}
        </pre>
        <Copy text={command} what="the command" />
      </div>
    </section>
  )
}

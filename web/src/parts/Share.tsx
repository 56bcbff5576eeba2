import { useQuery } from "@tanstack/react-query"
import { useRouterState } from "@tanstack/react-router"
import { useState } from "react"
import { SERVER } from "../address"
import { asProblem } from "../api/problem"
import type { NewShare } from "../api/shares"
import { createShare, revokeShare, sharesQuery } from "../api/shares"
import { useWrite } from "../api/write"
import { announce } from "../live"
import { Copy } from "./Copy"
import { Dialog } from "./Dialog"
import { Field } from "./Field"
import { ProblemBox } from "./Problem"
import styles from "./Share.module.css"
import { Time } from "./Time"
import { WriteButton } from "./WriteButton"

const DAYS = [1, 7, 14, 30, 90]

interface Props {
  project: string
  noun: string
  /** Parameters that the link needs also where the view chose them by itself. */
  params?: Record<string, string>
}

/** A button that makes a read-only link to the view that is open, and shows those that there are. */
export function Share(props: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <WriteButton onClick={() => setOpen(true)}>Share…</WriteButton>
      {open && <ShareDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function ShareDialog({ project, noun, params, onClose }: Props & { onClose: () => void }) {
  const path = useRouterState({ select: ({ location }) => withParams(location.pathname, location.searchStr, params) })
  const [days, setDays] = useState(14)
  const write = useWrite((input: { path: string; expires_in_days: number }) => createShare(input), {
    changes: [["shares", project]],
    onDone: () => announce("The link is made."),
  })
  return (
    <Dialog
      title={`Share this ${noun}`}
      onClose={onClose}
      actions={
        <WriteButton kind="main" busy={write.busy} onClick={() => write.run({ path, expires_in_days: days })}>
          Make a link
        </WriteButton>
      }
    >
      <p>Whoever has the link sees this {noun}, all of it, read only and without a key, and nothing else. It opens as it is filtered now.</p>
      <Field label="The link works for">
        {(field) => (
          <select {...field} value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {DAYS.map((count) => (
              <option key={count} value={count}>
                {count} {count === 1 ? "day" : "days"}
              </option>
            ))}
          </select>
        )}
      </Field>
      {write.problem && <ProblemBox problem={write.problem} />}
      {write.done && <Made share={write.done} />}
      <Existing project={project} path={path} />
    </Dialog>
  )
}

/** The address with these parameters in it, unless it has them. */
function withParams(pathname: string, search: string, params: Record<string, string> = {}): string {
  const all = new URLSearchParams(search)
  for (const [name, value] of Object.entries(params)) if (!all.has(name)) all.set(name, value)
  return all.size === 0 ? pathname : `${pathname}?${all}`
}

/** The only time that the link is seen. */
function Made({ share }: { share: NewShare }) {
  const link = SERVER + share.url_path
  return (
    <section aria-label="The new link" className={styles.made}>
      <p>
        <b>Copy it now: it is shown this once.</b> The server keeps only a hash of it.
      </p>
      <div className={styles.link}>
        <input readOnly value={link} aria-label="Link" onFocus={(event) => event.target.select()} />
        <Copy text={link} what="the link" />
      </div>
    </section>
  )
}

function Existing({ project, path }: { project: string; path: string }) {
  const { data, error } = useQuery(sharesQuery(project))
  const remove = useWrite((id: string) => revokeShare(id), {
    changes: [["shares", project]],
    onDone: () => announce("The link is revoked."),
  })
  const view = path.split("?")[0]
  const shares = data?.filter((share) => share.path.split("?")[0] === view) ?? []
  if (error) return <ProblemBox problem={asProblem(error)} />
  if (shares.length === 0) return null
  return (
    <section aria-labelledby="existing-shares">
      <h3 id="existing-shares">Links that work</h3>
      <ul className={styles.existing}>
        {shares.map((share) => (
          <li key={share.id}>
            <span>
              made <Time at={share.created_at} />, until <Time at={share.expires_at} />
            </span>
            <WriteButton kind="danger" busy={remove.busy} onClick={() => remove.run(share.id)}>
              Revoke
            </WriteButton>
          </li>
        ))}
      </ul>
      {remove.problem && <ProblemBox problem={remove.problem} />}
    </section>
  )
}

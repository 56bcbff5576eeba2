import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { fieldMessage } from "../../api/problem"
import { projectsQuery, useSession } from "../../api/queries"
import type { KeyDraft, Role } from "../../api/settings"
import { createKey } from "../../api/settings"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Copy } from "../../parts/Copy"
import { Field, Fields } from "../../parts/Field"
import { ProblemBox } from "../../parts/Problem"
import { Unsaved } from "../../parts/Unsaved"
import { refusal, WriteButton } from "../../parts/WriteButton"
import { roleMeaning } from "./keyColumns"
import styles from "./Settings.module.css"

const ROLES: Role[] = ["read", "write", "admin"]

interface Made {
  name: string | null
  role: Role
  /** Null when only the answer to a second try came: the first answer had it. */
  secret: string | null
}

/** Create a key. The secret stands in this component while it is shown, and nowhere else. */
export function NewKeyForm({ project }: { project: string }) {
  const session = useSession()
  const [name, setName] = useState("")
  const [role, setRole] = useState<Role>("write")
  const [bound, setBound] = useState(project)
  const [made, setMade] = useState<Made>()
  const write = useWrite(
    async (draft: KeyDraft, once: string) => {
      const { key, ...rest } = await createKey(draft, once)
      setMade({ name: rest.name, role: rest.role, secret: key })
      return rest.id
    },
    {
      changes: [["keys"]],
      onDone: () => {
        setName("")
        announce("The key is created. Copy its secret now.")
      },
    },
  )
  const submit = (): void => write.run({ name: name.trim() === "" ? null : name, role, project_id: bound === "" ? null : bound })
  if (made) return <Secret made={made} onDone={() => setMade(undefined)} />
  return (
    <section className={styles.section} aria-label="Create a key">
      <h2>Create a key</h2>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (refusal(session, "admin") === undefined && !write.busy) submit()
        }}
      >
        <Fields refused={refusal(session, "admin")} legend="The new key">
          <div className={styles.line}>
            <Field label="Name" hint="To tell it from others." problem={fieldMessage(write.problem, "name")}>
              {(field) => <input {...field} value={name} maxLength={256} autoComplete="off" onChange={(event) => setName(event.target.value)} />}
            </Field>
            <Field label="Role" hint={`May ${roleMeaning(role).replace(/,$/, "")}.`} problem={fieldMessage(write.problem, "role")}>
              {(field) => (
                <select {...field} value={role} onChange={(event) => setRole(event.target.value as Role)}>
                  {ROLES.map((role) => (
                    <option key={role}>{role}</option>
                  ))}
                </select>
              )}
            </Field>
            <ProjectField project={project} value={bound} onChange={setBound} problem={fieldMessage(write.problem, "project_id")} />
          </div>
        </Fields>
        {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} shownFields={["name", "role", "project_id"]} />}
        <div className={styles.buttons}>
          <WriteButton needs="admin" kind="main" busy={write.busy} onClick={submit}>
            {write.busy ? "Creating the key…" : "Create the key"}
          </WriteButton>
        </div>
      </form>
      <Unsaved when={name.trim() !== "" && !write.busy} what="The name of the new key was typed, and the key is not created." />
    </section>
  )
}

interface ProjectProps {
  project: string
  value: string
  onChange: (project: string) => void
  problem: string | undefined
}

function ProjectField({ project, value, onChange, problem }: ProjectProps) {
  const session = useSession()
  const projects = useQuery(projectsQuery()).data?.items ?? []
  const others = projects.filter((one) => one.id !== project)
  const bound = session?.project_id != null
  return (
    <Field
      label="Project"
      hint={bound ? "Your key is bound to this project, and so are the keys it makes." : value === "" ? "It sees every project." : "It sees this project only."}
      problem={problem}
    >
      {(field) => (
        <select {...field} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value={project}>{projects.find((one) => one.id === project)?.name ?? project}</option>
          {!bound && others.map((other) => (
            <option key={other.id} value={other.id}>
              {other.name}
            </option>
          ))}
          {!bound && <option value="">All projects</option>}
        </select>
      )}
    </Field>
  )
}

/** The only time that the secret is seen. */
function Secret({ made, onDone }: { made: Made; onDone: () => void }) {
  const called = made.name === null ? "The key" : `The key “${made.name}”`
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that was pressed is gone: readers go on here.
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className={styles.secret} aria-label="The new key">
      <h2 ref={heading} tabIndex={-1}>{called} is created</h2>
      {made.secret === null ? (
        <p role="alert">
          The answer to the first try was lost, and the secret with it: only its hash is kept. Revoke this key below and create
          another one.
        </p>
      ) : (
        <>
          <p>
            <b>Copy it now: it is shown this once.</b> The server keeps only its hash, and this page forgets it when you go on.
            Whoever has it may {roleMeaning(made.role).replace(/,$/, "")}; put it where passwords are kept, not into code.
          </p>
          <div className={styles.command}>
            <pre tabIndex={0} aria-label="Secret">
              {made.secret}
            </pre>
            <Copy text={made.secret} what="the secret" />
          </div>
        </>
      )}
      <div className={styles.buttons}>
        <button type="button" data-kind="main" onClick={onDone}>
          {made.secret === null ? "Understood" : "I have kept it"}
        </button>
      </div>
      <Unsaved when={made.secret !== null} what={`${called} is created, and its secret is shown only now. Nobody can show it again.`} />
    </section>
  )
}

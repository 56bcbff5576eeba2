import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { asProblem, fieldMessage } from "../../api/problem"
import { useSession } from "../../api/queries"
import type { MetadataKey } from "../../api/settings"
import { changeMetadataKeys, metadataKeysQuery } from "../../api/settings"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Dialog } from "../../parts/Dialog"
import { Field, Fields } from "../../parts/Field"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { Unsaved } from "../../parts/Unsaved"
import { refusal, WriteButton } from "../../parts/WriteButton"
import styles from "./Settings.module.css"

const WAIT_MS = 2_000
const MOST = 20

export function MetadataTab({ project }: { project: string }) {
  const { data, error, refetch } = useQuery({
    ...metadataKeysQuery(project),
    refetchInterval: (query) => (query.state.data?.keys.every((key) => key.ready) ?? true ? false : WAIT_MS),
  })
  const [removing, setRemoving] = useState<string>()
  if (!data) return error ? <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} /> : <Loading what="the metadata keys" rows={6} />
  const declared = data.keys.filter((key) => !key.always).length
  return (
    <div className={styles.panel}>
      <section className={styles.section} aria-label="Indexed keys">
        <h2>Indexed keys</h2>
        <p>
          Filtering traces by the metadata of their spans is quick for the keys that are indexed. Any other key works too, but
          spans are looked through one by one.
        </p>
        <Table
          label="Indexed keys"
          rows={data.keys}
          rowKey={(row) => row.key}
          columns={[
            { id: "key", head: "Key", width: 150, grow: 1, cell: (row) => <Characters text={row.key} /> },
            { id: "state", head: "State", width: 190, cell: (row) => <State row={row} project={project} /> },
            {
              id: "remove",
              head: <span className="hidden-text">Remove</span>,
              width: 80,
              cell: (row) =>
                row.always ? null : (
                  <span className={styles.act}>
                    <WriteButton onClick={() => setRemoving(row.key)}>
                      Remove<span className="hidden-text"> {row.key}</span>
                    </WriteButton>
                  </span>
                ),
            },
          ]}
        />
      </section>
      <Add project={project} keys={data.keys} full={declared >= MOST} />
      {removing !== undefined && <Remove project={project} name={removing} onClose={() => setRemoving(undefined)} />}
    </div>
  )
}

function State({ row, project }: { row: MetadataKey; project: string }) {
  if (row.always) return <span className="mute">every project has it</span>
  if (row.ready) return <span>✓ indexed</span>
  return (
    <span>
      being indexed, see{" "}
      <Link to="/projects/$project/jobs" params={{ project }}>
        the jobs
      </Link>
    </span>
  )
}

function Add({ project, keys, full }: { project: string; keys: MetadataKey[]; full: boolean }) {
  const refused = refusal(useSession(), "write")
  const [name, setName] = useState("")
  const write = useWrite((key: string) => changeMetadataKeys(project, (now) => [key, ...now.filter((one) => one !== key)]), {
    changes: [["settings", project, "metadata-keys"]],
    onDone: (_, key) => {
      setName("")
      announce(`${key} is declared.`)
    },
  })
  const there = keys.some((key) => key.key === name)
  const wrong = there ? `${name} is in the list already.` : full ? `A project declares at most ${MOST} keys; remove one first.` : undefined
  const empty = name === "" ? "Type the name of a key." : undefined
  return (
    <section className={styles.section} aria-label="Declare a key">
      <h2>Declare a key</h2>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if ((refused ?? wrong ?? empty) === undefined && !write.busy) write.run(name)
        }}
      >
        <Fields refused={refused} legend="The key">
          <div className={styles.single}>
            <Field
              label="Key"
              hint="As spans write it: tier, customer.id. What comes in is indexed at once; what is stored, by a job."
              problem={wrong ?? fieldMessage(write.problem, "keys")}
            >
              {(field) => <input {...field} value={name} maxLength={200} autoComplete="off" spellCheck={false} onChange={(event) => setName(event.target.value)} />}
            </Field>
          </div>
        </Fields>
        {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} shownFields={["keys", "keys[0]"]} />}
        <div className={styles.buttons}>
          <WriteButton kind="main" busy={write.busy} refused={wrong ?? empty} onClick={() => write.run(name)}>
            {write.busy ? "Declaring…" : "Declare the key"}
          </WriteButton>
        </div>
      </form>
      <Unsaved when={name !== "" && !write.busy} what="A key was typed and is not declared." />
    </section>
  )
}

function Remove({ project, name, onClose }: { project: string; name: string; onClose: () => void }) {
  const write = useWrite(() => changeMetadataKeys(project, (now) => now.filter((one) => one !== name)), {
    changes: [["settings", project, "metadata-keys"]],
    onDone: () => {
      announce(`${name} is not indexed any more.`)
      onClose()
    },
  })
  return (
    <Dialog
      title={`Stop indexing “${name}”?`}
      onClose={onClose}
      actions={
        <WriteButton kind="danger" busy={write.busy} onClick={() => write.run(undefined)}>
          Stop indexing it
        </WriteButton>
      }
    >
      <p>Spans keep their metadata. Filtering by this key still works, but looks through spans one by one.</p>
      {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} />}
    </Dialog>
  )
}

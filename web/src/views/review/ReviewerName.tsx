import { useId, useState } from "react"
import { Characters } from "../../parts/Text"
import styles from "./Queue.module.css"
import type { KnownReviewer } from "./useReviewer"
import { renameReviewer } from "./useReviewer"

/** Under which name the reviews are stored. A reviewer's key says it; others choose it. */
export function ReviewerName({ reviewer }: { reviewer: KnownReviewer }) {
  const [editing, setEditing] = useState(false)
  if (!reviewer.mayRename || reviewer.refused !== undefined) return null
  if (editing || reviewer.name === "") return <NameField name={reviewer.name} onDone={() => setEditing(false)} />
  return (
    <p className={styles.naming}>
      <span>
        You review as{" "}
        <b>
          <Characters text={reviewer.name} />
        </b>
        .
      </span>
      <button type="button" data-kind="link" onClick={() => setEditing(true)}>
        Change the name
      </button>
    </p>
  )
}

function NameField({ name, onDone }: { name: string; onDone: () => void }) {
  const [typed, setTyped] = useState(name)
  const id = useId()
  return (
    <form
      className={styles.naming}
      onSubmit={(event) => {
        event.preventDefault()
        renameReviewer(typed)
        onDone()
      }}
    >
      <label htmlFor={id}>Your name, as others will see it</label>
      <input id={id} value={typed} maxLength={256} required autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
      <button type="submit">Keep the name</button>
    </form>
  )
}

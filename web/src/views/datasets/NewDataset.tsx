import { useNavigate } from "@tanstack/react-router"
import { useId, useState } from "react"
import { createDataset } from "../../api/datasets"
import { fieldMessage } from "../../api/problem"
import { useWrite } from "../../api/write"
import { Dialog } from "../../parts/Dialog"
import { FieldProblem, ProblemBox } from "../../parts/Problem"
import { useLeaving } from "../../parts/useLeaving"
import { WriteButton } from "../../parts/WriteButton"
import styles from "./Datasets.module.css"

/** Make a dataset, and go there. */
export function NewDataset({ project, onClose }: { project: string; onClose: () => void }) {
  const [name, setName] = useState("")
  const [description, setDescription] = useState("")
  const id = useId()
  const navigate = useNavigate()
  const leaving = useLeaving(name !== "" || description !== "", onClose)
  const write = useWrite(createDataset, {
    changes: [["datasets"]],
    onDone: (made) => {
      leaving.release()
      void navigate({ to: "/projects/$project/datasets/$dataset", params: { project, dataset: made.id } })
    },
  })
  const refused = name.trim() === "" ? "Give it a name first." : undefined
  const make = (): void => {
    if (refused === undefined && !write.busy) {
      write.run({ project_id: project, name, description: description.trim() === "" ? null : description })
    }
  }
  return (
    <Dialog
      title="New dataset"
      onClose={onClose}
      mayClose={leaving.mayClose}
      actions={
        <WriteButton kind="main" busy={write.busy} refused={refused} onClick={make}>
          Make the dataset
        </WriteButton>
      }
    >
      {leaving.question}
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          make()
        }}
      >
        <div className={styles.field}>
          <label htmlFor={`${id}-name`}>Name</label>
          <input
            id={`${id}-name`}
            type="text"
            maxLength={256}
            value={name}
            aria-invalid={fieldMessage(write.problem, "name") !== undefined}
            aria-describedby={`${id}-problem`}
            onChange={(event) => setName(event.target.value)}
          />
          <FieldProblem problem={write.problem} field="name" id={`${id}-problem`} />
        </div>
        <div className={styles.field}>
          <label htmlFor={`${id}-about`}>Description</label>
          <textarea id={`${id}-about`} rows={3} value={description} onChange={(event) => setDescription(event.target.value)} />
        </div>
      </form>
      {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} shownFields={["name"]} />}
    </Dialog>
  )
}

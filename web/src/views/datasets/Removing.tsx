import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { Dataset, DatasetItem } from "../../api/datasets"
import { deleteDataset, deleteItem } from "../../api/datasets"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Dialog } from "../../parts/Dialog"
import { jsonText } from "../../parts/jsonParts"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { WriteButton } from "../../parts/WriteButton"
import { countWords } from "../../words/format"

/** Asks with the dataset's name, then deletes it. */
export function DeleteDataset({ project, dataset, onClose }: { project: string; dataset: Dataset; onClose: () => void }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const remove = useWrite(() => deleteDataset(dataset.id), {
    changes: [["datasets"]],
    onDone: async () => {
      await navigate({ to: "/projects/$project/datasets", params: { project } })
      client.removeQueries({ queryKey: ["dataset", dataset.id] })
      announce("The dataset was deleted.")
    },
  })
  return (
    <Dialog
      title="Delete this dataset?"
      onClose={onClose}
      actions={
        <WriteButton kind="danger" busy={remove.busy} onClick={() => remove.run(undefined)}>
          Delete {countWords(dataset.item_count, "item")} in {countWords(dataset.version, "version")}
        </WriteButton>
      }
    >
      <p>
        <b>
          <Characters text={dataset.name} />
        </b>{" "}
        goes with all items of all versions. Its experiments, their runs and scores stay, but can no longer show their inputs and expected
        outputs. This cannot be undone.
      </p>
      {remove.problem && <ProblemBox problem={remove.problem} onRetry={remove.retry} />}
    </Dialog>
  )
}

export function DeleteItem({ item, onClose, onDone }: { item: DatasetItem; onClose: () => void; onDone: () => void }) {
  const remove = useWrite(() => deleteItem(item.dataset_id, item.id), {
    changes: [["dataset", item.dataset_id], ["datasets"]],
    onDone: () => {
      announce("The item was removed.")
      onDone()
    },
  })
  return (
    <Dialog
      title="Remove this item?"
      onClose={onClose}
      actions={
        <WriteButton kind="danger" busy={remove.busy} onClick={() => remove.run(undefined)}>
          Remove the item
        </WriteButton>
      }
    >
      <p>
        <b>
          <Characters text={item.key ?? jsonText(item.input).slice(0, 200)} />
        </b>
      </p>
      <p>It leaves the dataset with a new version. Older versions, and the experiments on them, keep it.</p>
      {remove.problem && <ProblemBox problem={remove.problem} onRetry={remove.retry} />}
    </Dialog>
  )
}

import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { asProblem } from "../../api/problem"
import type { Annotation } from "../../api/review"
import { annotationToItem } from "../../api/review"
import { datasetNamesQuery } from "../../api/traces"
import { useWrite } from "../../api/write"
import { Dialog } from "../../parts/Dialog"
import { Field } from "../../parts/Field"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { WriteButton } from "../../parts/WriteButton"

interface Props {
  project: string
  annotation: Annotation
  onClose: () => void
}

/** The question becomes an item of a dataset, with the correction as the answer that is expected. */
export function SaveToDataset({ project, annotation, onClose }: Props) {
  const { data, error, refetch } = useQuery(datasetNamesQuery(project))
  const [chosen, setChosen] = useState<string>()
  const dataset = chosen ?? data?.items[0]?.id ?? ""
  const save = useWrite((id: string, key: string) => annotationToItem(annotation.id, id, key), { changes: [["datasets"], ["dataset"]] })
  const isReady = data !== undefined && data.items.length > 0 && !save.done
  return (
    <Dialog
      title="Save to a dataset"
      onClose={onClose}
      actions={
        isReady ? (
          <WriteButton kind="main" busy={save.busy} onClick={() => save.run(dataset)}>
            Save the item
          </WriteButton>
        ) : undefined
      }
    >
      {save.done ? (
        <p role="status">
          Saved.{" "}
          <Link to="/projects/$project/datasets/$dataset" params={{ project, dataset }}>
            Open the dataset
          </Link>
        </p>
      ) : error ? (
        <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading what="the datasets" />
      ) : data.items.length === 0 ? (
        <p>
          There is no dataset yet. <Link to="/projects/$project/datasets" params={{ project }}>Make one</Link> first.
        </p>
      ) : (
        <>
          <p>
            {annotation.correction === null
              ? "The question becomes an item, without an expected answer: your review has no correction."
              : "The question becomes an item, and your correction the answer that is expected."}
          </p>
          <Field label="Dataset">
            {(field) => (
              <select {...field} value={dataset} onChange={(event) => setChosen(event.target.value)}>
                {data.items.map((item) => (
                  <option key={item.id} value={item.id}>
                    {item.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </>
      )}
      {save.problem && <ProblemBox problem={save.problem} onRetry={save.retry} />}
    </Dialog>
  )
}

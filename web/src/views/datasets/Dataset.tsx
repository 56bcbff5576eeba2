import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useState } from "react"
import type { DatasetItem } from "../../api/datasets"
import { datasetQuery } from "../../api/datasets"
import { asProblem } from "../../api/problem"
import { useProjectName } from "../../api/queries"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Tabs } from "../../parts/Tabs"
import { datasetSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText } from "../../words/format"
import { DatasetHead } from "./DatasetHead"
import styles from "./Datasets.module.css"
import { Import } from "./Import"
import { ItemForm } from "./ItemForm"
import { Items } from "./Items"
import { Quality } from "./Quality"
import { DeleteItem } from "./Removing"
import { Versions } from "./Versions"

type Doing = { what: "add" | "import" } | { what: "edit" | "delete"; item: DatasetItem }

/** One dataset: its items at a version, what they are worth, and what changed when. */
export function Dataset() {
  const { project = "", dataset: id = "" } = useParams({ strict: false })
  const [state, change] = useViewState(datasetSearch)
  const [doing, setDoing] = useState<Doing>()
  const { data: dataset, error, refetch } = useQuery(datasetQuery(id))
  useTitle(dataset?.name ?? "Dataset", useProjectName(project))
  if (error && !dataset) return <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} />
  if (!dataset) return <Loading what="the dataset" rows={12} />
  const show = state.show ?? "items"
  // The address may name the newest version; that is where items can be changed.
  const old = state.version !== undefined && state.version < dataset.version ? state.version : undefined
  const refused = old === undefined ? undefined : `Version ${old} stays as it was; items are changed in the newest version.`
  const done = (): void => setDoing(undefined)
  const panel = { project, refused, onEdit: (item: DatasetItem) => setDoing({ what: "edit", item }), onDelete: (item: DatasetItem) => setDoing({ what: "delete", item }) }
  return (
    <div className={styles.page}>
      <DatasetHead
        project={project}
        dataset={dataset}
        version={state.version ?? dataset.version}
        refused={refused}
        onAdd={() => setDoing({ what: "add" })}
        onImport={() => setDoing({ what: "import" })}
      />
      <Tabs
        label="About this dataset"
        tabs={[
          { id: "items", label: "Items" },
          { id: "quality", label: "Item quality" },
          { id: "versions", label: `Versions (${countText(dataset.version)})` },
        ]}
        value={show}
        onChange={(tab) => change({ show: tab === "items" ? undefined : tab, item: undefined })}
      >
        {show === "items" ? (
          <Items dataset={dataset} old={old} state={state} change={change} panel={panel} />
        ) : show === "quality" ? (
          <Quality dataset={dataset} state={state} change={change} panel={{ ...panel, refused: undefined }} />
        ) : (
          <Versions dataset={dataset} shown={state.version ?? dataset.version} />
        )}
      </Tabs>
      {doing?.what === "import" && <Import dataset={id} onClose={done} />}
      {doing?.what === "delete" && (
        <DeleteItem
          item={doing.item}
          onClose={done}
          onDone={() => {
            done()
            change({ item: undefined })
          }}
        />
      )}
      {(doing?.what === "add" || doing?.what === "edit") && (
        <ItemForm
          dataset={id}
          item={doing.what === "edit" ? doing.item : undefined}
          onClose={done}
          onSaved={(item) => {
            done()
            change({ item: item.id })
          }}
        />
      )}
    </div>
  )
}

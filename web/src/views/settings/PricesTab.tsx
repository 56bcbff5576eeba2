import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { asProblem } from "../../api/problem"
import type { ModelPrice } from "../../api/settings"
import { changePrices, pricesQuery } from "../../api/settings"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Dialog } from "../../parts/Dialog"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import type { Column } from "../../parts/Table"
import { Table } from "../../parts/Table"
import { Characters } from "../../parts/Text"
import { WriteButton } from "../../parts/WriteButton"
import { moneyText } from "../../words/format"
import { samePrice } from "./amounts"
import { PriceForm } from "./PriceForm"
import styles from "./Settings.module.css"

export function PricesTab({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(pricesQuery(project))
  const [removing, setRemoving] = useState<ModelPrice>()
  if (!data) return error ? <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} /> : <Loading what="the prices" rows={6} />
  return (
    <div className={styles.panel}>
      <section className={styles.section} aria-label="Own prices">
        <h2>Own prices</h2>
        <p>
          What this project pays for models, in US dollars per million tokens. A price here comes before the price table that
          Gnomon brings along; what is not listed costs what that table says.
        </p>
        {data.prices.length === 0 ? (
          <p className="mute">No own prices yet: every model costs what the table says, and a model that is not in it has no price.</p>
        ) : (
          <Table label="Own prices" rows={data.prices} rowKey={(row) => `${row.model} ${row.since ?? ""}`} columns={priceColumns(setRemoving)} />
        )}
      </section>
      <PriceForm project={project} prices={data.prices} />
      {removing && <Remove project={project} row={removing} onClose={() => setRemoving(undefined)} />}
    </div>
  )
}

function priceColumns(onRemove: (row: ModelPrice) => void): Column<ModelPrice>[] {
  return [
    { id: "model", head: "Model", width: 140, grow: 1, cell: (row) => <Characters text={row.model} /> },
    { id: "since", head: "Holds since", width: 96, cell: (row) => row.since ?? <span className="mute">always</span> },
    { id: "input", head: "Input", width: 80, align: "end", cell: (row) => moneyText(row.input_usd_per_million) },
    {
      id: "cached",
      head: "Cached input",
      width: 100,
      align: "end",
      cell: (row) =>
        row.cached_input_usd_per_million === null ? <span className="mute">as input</span> : moneyText(row.cached_input_usd_per_million),
    },
    { id: "output", head: "Output", width: 80, align: "end", cell: (row) => moneyText(row.output_usd_per_million) },
    {
      id: "remove",
      head: <span className="hidden-text">Remove</span>,
      width: 80,
      cell: (row) => (
        <span className={styles.act}>
          <WriteButton onClick={() => onRemove(row)}>
            Remove<span className="hidden-text"> the price of {row.model}</span>
          </WriteButton>
        </span>
      ),
    },
  ]
}

function Remove({ project, row, onClose }: { project: string; row: ModelPrice; onClose: () => void }) {
  const write = useWrite(() => changePrices(project, (now) => now.filter((one) => !samePrice(row, one))), {
    changes: [["settings", project, "prices"]],
    onDone: () => {
      announce(`The price of ${row.model} is removed.`)
      onClose()
    },
  })
  return (
    <Dialog
      title={`Remove the price of ${row.model}${row.since === null || row.since === undefined ? "" : ` since ${row.since}`}?`}
      onClose={onClose}
      actions={
        <WriteButton kind="danger" busy={write.busy} onClick={() => write.run(undefined)}>
          Remove the price
        </WriteButton>
      }
    >
      <p>Calls from now on cost what another own price of the model says, or else the price table. What was spent stays as it was counted.</p>
      {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} />}
    </Dialog>
  )
}

import { SHARE } from "../../address"
import type { RankedDataset } from "../../api/leaderboard"
import { SelectFilter } from "../../parts/Filters"
import type { StateOf } from "../../params"
import type { leaderboardSearch } from "../../searches"
import { countWords } from "../../words/format"
import styles from "./Leaderboard.module.css"

export type State = StateOf<typeof leaderboardSearch>

interface Props {
  datasets: readonly RankedDataset[]
  dataset: string | undefined
  scorers: readonly string[]
  scorer: string | undefined
  state: State
  change: (patch: Partial<State>) => void
}

const BARS = ["0.5", "0.7", "0.8", "0.9"].map((value) => ({ value, label: value }))
const EFFECTS = ["0.01", "0.02", "0.05", "0.1"].map((value) => ({ value, label: value }))
const KS = ["1", "2", "3", "5", "8", "10"].map((value) => ({ value, label: value }))

/** What is ranked, by what, and how it is read. Another dataset begins anew. */
export function Pickers({ datasets, dataset, scorers, scorer, state, change }: Props) {
  return (
    <div className={styles.controls} role="group" aria-label="What is ranked">
      {SHARE === undefined && (
        <label className={styles.pick}>
          <span>Dataset</span>
          <select value={dataset ?? ""} onChange={(event) => change({ dataset: event.target.value, scorer: undefined, k: undefined, agent: undefined })}>
            {dataset !== undefined && !datasets.some((row) => row.id === dataset) && <option value={dataset}>{dataset}</option>}
            {datasets.map((row) => (
              <option key={row.id} value={row.id}>
                {row.name} ({countWords(row.experiment_count, "experiment")})
              </option>
            ))}
          </select>
        </label>
      )}
      <label className={styles.pick}>
        <span>Scorer</span>
        <select value={scorer ?? ""} onChange={(event) => change({ scorer: event.target.value })}>
          {scorer !== undefined && !scorers.includes(scorer) && <option value={scorer}>{scorer}</option>}
          {scorers.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <span className={styles.break} aria-hidden="true" />
      <SelectFilter label="pass@k up to" any="all trials" value={textOf(state.k)} options={KS} onChange={(k) => change({ k: numberOf(k) })} />
      <SelectFilter label="A trial passes from" any="1" value={textOf(state.bar)} options={BARS} onChange={(bar) => change({ bar: numberOf(bar) })} />
      <SelectFilter label="Too small to matter below" any="not said" value={textOf(state.effect)} options={EFFECTS} onChange={(effect) => change({ effect: numberOf(effect) })} />
      <SelectFilter
        label="Missing scores"
        any="left out"
        value={state.missing === "drop" ? undefined : state.missing}
        options={[
          { value: "zero", label: "count as 0" },
          { value: "bracket", label: "worst and best case" },
        ]}
        onChange={(missing) => change({ missing })}
      />
    </div>
  )
}

function textOf(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

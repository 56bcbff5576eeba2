// Which two experiments are ticked, and whether they can be compared.
import type { ExperimentRow } from "../../api/experiments"

export interface Pair {
  base?: ExperimentRow
  candidate?: ExperimentRow
  /** Why the two cannot be compared. */
  problem?: string
}

/** The first tick is the base. */
export function pickedPair(rows: readonly ExperimentRow[], picked: readonly string[]): Pair {
  const [base, candidate] = picked.map((id) => rows.find((row) => row.id === id))
  if (base === undefined) return candidate === undefined ? {} : { base: candidate }
  if (candidate === undefined) return { base }
  if (base.dataset_id !== candidate.dataset_id) {
    return { base, candidate, problem: "They ran over different datasets, so no item is in both." }
  }
  return { base, candidate }
}

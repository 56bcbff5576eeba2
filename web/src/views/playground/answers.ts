// The answers of all candidates, put beside each other item by item. Pure.
import type { LeanRun } from "../../api/experiments"

export interface AnswerRow {
  /** Item and trial: one row. */
  key: string
  item: string
  trial: number
  input: string
  expected: string | null
  /** One place per candidate; undefined while there is no answer. */
  answers: (LeanRun | undefined)[]
}

/** Rows in the order of items and trials, whichever candidate's answer came first. */
export function answerRows(byCandidate: readonly (readonly LeanRun[])[]): AnswerRow[] {
  const rows = new Map<string, AnswerRow>()
  byCandidate.forEach((runs, at) => {
    for (const run of runs) {
      const key = `${run.dataset_item_id} ${run.trial}`
      let row = rows.get(key)
      if (row === undefined) {
        const answers = byCandidate.map(() => undefined)
        row = { key, item: run.dataset_item_id, trial: run.trial, input: run.input ?? "", expected: run.expected_output, answers }
        rows.set(key, row)
      }
      row.answers[at] = run
    }
  })
  return [...rows.values()].sort((a, b) => (a.item < b.item ? -1 : a.item > b.item ? 1 : a.trial - b.trial))
}

/** The two experiments of a comparison: their ids, and their names once they are known. */
export interface Names {
  baseId: string
  candidateId: string
  base: string | undefined
  candidate: string | undefined
}

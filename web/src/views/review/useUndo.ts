import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { Reviewer } from "../../api/review"
import { cardQuery, undoAnnotation } from "../../api/review"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import type { Saved } from "./sitting"
import { changeSitting } from "./sitting"

/** Take back a review: it goes with its scores, and its card opens again with what was filled in. */
export function useUndo(reviewer: Reviewer) {
  const navigate = useNavigate()
  const client = useQueryClient()
  return useWrite((saved: Saved) => undoAnnotation(saved.annotation), {
    onDone: (_, { target, form }) => {
      changeSitting({ saved: undefined, restored: { target, form }, notice: "Undone. What you had filled in is below." })
      announce("Undone")
      void client.resetQueries({ queryKey: cardQuery(reviewer, target).queryKey })
      void client.invalidateQueries({ queryKey: ["review", "queue"] })
      void client.invalidateQueries({ queryKey: ["review", "counts"] })
      const params = { project: reviewer.project, type: target.type, target: target.id }
      void navigate({ to: "/projects/$project/review/$type/$target", params })
    },
  })
}

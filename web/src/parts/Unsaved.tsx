import { useBlocker } from "@tanstack/react-router"
import { Dialog } from "./Dialog"

/** While something would be lost, leaving asks first: other views, Back, other tabs of the view, closing the window. */
export function Unsaved({ when, what }: { when: boolean; what: string }) {
  const blocker = useBlocker({ shouldBlockFn: () => when, enableBeforeUnload: () => when, withResolver: true })
  if (blocker.status !== "blocked") return null
  return (
    <Dialog
      title="Leave without saving?"
      onClose={blocker.reset}
      actions={
        <button type="button" data-kind="danger" onClick={blocker.proceed}>
          Leave and lose it
        </button>
      }
    >
      <p>{what}</p>
    </Dialog>
  )
}

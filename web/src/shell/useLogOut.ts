import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { closeSession } from "../api/queries"

export function useLogOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await closeSession()
    // First away from what asks for data, then forget it: else it would be asked for again.
    await navigate({ to: "/login" })
    client.clear()
  }
}

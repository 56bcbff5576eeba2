// A button that writes: one press is one idempotency key, and trying again sends the same one.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { newIdempotencyKey } from "./client"
import type { Problem } from "./problem"
import { asProblem } from "./problem"

export interface Write<V, R> {
  run: (input: V) => void
  /** The same input under the same key: what was stored already is not stored twice. */
  retry: () => void
  busy: boolean
  problem: Problem | null
  done: R | undefined
  reset: () => void
}

export interface WriteOptions<V, R> {
  /** Query keys whose data the write changes; they are asked anew. */
  changes?: readonly (readonly unknown[])[]
  onDone?: (answer: R, input: V) => void
}

/** `useWrite((input, key) => call(api.POST(path, { body: input, headers: once(key) })))` */
export function useWrite<V, R>(
  write: (input: V, key: string) => Promise<R>,
  options: WriteOptions<V, R> = {},
): Write<V, R> {
  const client = useQueryClient()
  const mutation = useMutation<R, Error, { input: V; key: string }>({
    mutationFn: ({ input, key }) => write(input, key),
    onSuccess: (answer, { input }) => {
      for (const queryKey of options.changes ?? []) void client.invalidateQueries({ queryKey })
      options.onDone?.(answer, input)
    },
  })
  return {
    run: (input) => mutation.mutate({ input, key: newIdempotencyKey() }),
    retry: () => {
      if (mutation.variables) mutation.mutate(mutation.variables)
    },
    busy: mutation.isPending,
    problem: mutation.error ? asProblem(mutation.error) : null,
    done: mutation.data,
    reset: mutation.reset,
  }
}

// Everything that can go wrong with a request, as one class.

export interface FieldError {
  field: string
  message: string
  index?: number | null
}

export class Problem extends Error {
  /** HTTP status; 0 when no server answered. */
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly fields: FieldError[]

  constructor(status: number, code: string, message: string, requestId: string | null = null, fields: FieldError[] = []) {
    super(message)
    this.name = "Problem"
    this.status = status
    this.code = code
    this.requestId = requestId
    this.fields = fields
  }

  get offline(): boolean {
    return this.status === 0
  }
}

/** Read the API's error envelope; whatever else answered (a proxy's page) is said by its status. */
export function problemOf(status: number, body: unknown, requestId: string | null): Problem {
  const error = (body as { error?: { code?: unknown; message?: unknown; details?: unknown } } | null)?.error
  if (error && typeof error.code === "string" && typeof error.message === "string") {
    return new Problem(status, error.code, error.message, requestId, fieldErrors(error.details))
  }
  return new Problem(status, `HTTP_${status}`, `The server answered ${status} without saying why.`, requestId)
}

function fieldErrors(details: unknown): FieldError[] {
  const errors = (details as { errors?: unknown } | null)?.errors
  if (!Array.isArray(errors)) return []
  return errors.filter((error): error is FieldError => typeof error?.field === "string" && typeof error?.message === "string")
}

export function noServer(): Problem {
  return new Problem(0, "OFFLINE", "Is the server running, and can this machine reach it?")
}

/** Any thrown value as a Problem, so that one component can show it. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  return new Problem(-1, "PAGE_ERROR", thrown instanceof Error ? thrown.message : String(thrown))
}

/** A heading in plain words; the API's message follows it. */
export function headline(problem: Problem): string {
  switch (problem.status) {
    case -1:
      return "This page made a mistake"
    case 0:
      return "No server answered"
    case 401:
      return "You are not logged in"
    case 403:
      return problem.code === "CSRF" ? "The request was refused" : "This key may not do that"
    case 404:
      return "Not here, or not yours"
    case 409:
      return "This does not fit what is there already"
    case 429:
      return "Too many requests"
  }
  return problem.status >= 500 ? "The server failed" : "The request was refused"
}

/** Worth asking again without changing anything. */
export function retryable(problem: Problem): boolean {
  return problem.status === 0 || problem.status === -1 || problem.status === 429 || problem.status >= 500
}

interface Asked {
  error: unknown
  data: unknown
  isFetchNextPageError?: boolean
}

/** Whether a view shows why its query failed in place of what it has. What is there stays while a refresh fails in a way that passes. */
export function blocks({ error, data, isFetchNextPageError }: Asked): boolean {
  if (error === null || error === undefined) return false
  const problem = asProblem(error)
  return data === undefined || isFetchNextPageError === true || problem.status === -1 || !retryable(problem)
}

/** The message for one field of a form; `items[0].input` belongs to `items` and to `items[0].input`. */
export function fieldMessage(problem: Problem | null | undefined, field: string): string | undefined {
  return problem?.fields.find(
    (one) => one.field === field || one.field.startsWith(`${field}.`) || one.field.startsWith(`${field}[`),
  )?.message
}

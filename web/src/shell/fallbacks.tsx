// What stands in a view's place: while it loads, when it fails, when there is none.
import type { ErrorComponentProps } from "@tanstack/react-router"
import { Link, useRouter } from "@tanstack/react-router"
import { asProblem } from "../api/problem"
import { Loading } from "../parts/Loading"
import { ProblemBox } from "../parts/Problem"
import { useTitle } from "../title"

export function PendingView() {
  return <Loading what="the view" />
}

export function ViewFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => void router.invalidate().then(reset)
  return <ProblemBox problem={asProblem(error)} onRetry={retry} />
}

export function NotHere() {
  useTitle("Not found")
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        The address may be mistyped, or from another version. <Link to="/">To the projects</Link>
      </p>
    </>
  )
}

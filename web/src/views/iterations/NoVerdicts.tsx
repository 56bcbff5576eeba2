import type { ReactNode } from "react"

/** Says that there is no verdict, and how to get some. */
export function NoVerdicts({ children }: { children: ReactNode }) {
  return (
    <p>
      {children} More evidence makes verdicts: score again with the agent's sessions (<code>gnomon outcome score --transcripts FOLDER</code>) or with test results (
      <code>--ci FOLDER</code>), and push again.
    </p>
  )
}

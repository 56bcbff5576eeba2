import type { ReactNode } from "react"
import { useId } from "react"
import { SHARE } from "../address"
import type { Session } from "../api/queries"
import { useSession } from "../api/queries"

interface Props {
  onClick?: () => void
  /** It sends its form, which also Enter in a field does; the form then does the work. */
  submits?: boolean
  children: ReactNode
  /** What the call needs; `admin` for keys, budgets and the like. */
  needs?: "write" | "admin"
  kind?: "main" | "danger" | "plain"
  busy?: boolean
  /** Why it cannot be pressed now, for other reasons than the key. */
  refused?: string | undefined
  title?: string
}

/** Why a session may not do something, or undefined. */
export function refusal(session: Session | undefined, needs: "write" | "admin"): string | undefined {
  if (!session) return "It is not known yet what your key may do."
  if (session.role === "read") return "This key may read only."
  if (needs === "admin" && session.role !== "admin") return "This needs an admin key."
  return undefined
}

/** A button that changes something. Where the key may not, it stays, says why and does nothing. A share has none. */
export function WriteButton(props: Props) {
  // Whoever reads a share may never write, and need not be told so by every button.
  return SHARE === undefined ? <Button {...props} /> : null
}

function Button({ onClick, submits = false, children, needs = "write", kind, busy, refused, title }: Props) {
  const reason = refusal(useSession(), needs) ?? refused
  const id = useId()
  return (
    <>
      <button
        type={submits ? "submit" : "button"}
        data-kind={kind}
        aria-disabled={reason !== undefined || busy === true}
        aria-describedby={reason === undefined ? undefined : id}
        title={reason ?? title}
        onClick={(event) => {
          if (reason === undefined && !busy) onClick?.()
          else event.preventDefault()
        }}
      >
        {children}
      </button>
      {reason !== undefined && (
        <span id={id} className="hidden-text">
          {reason}
        </span>
      )}
    </>
  )
}

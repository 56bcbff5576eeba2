import { createLink } from "@tanstack/react-router"
import type { AnchorHTMLAttributes, Ref } from "react"
import { SHARE } from "../address"

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>
}

/** A share shows one view, so what leads to others is plain text there. */
function OtherView({ children, className, title, ...rest }: Props) {
  if (SHARE !== undefined) return <span className={className} title={title}>{children}</span>
  return (
    <a {...rest} className={className} title={title}>
      {children}
    </a>
  )
}

/** A link from a view that can be shared to another view. */
export const ViewLink = createLink(OtherView)

import { createLink } from "@tanstack/react-router"
import type { AnchorHTMLAttributes, Ref } from "react"
import styles from "./Evidence.module.css"

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** What the number was computed from: "188 runs". */
  behind: string
  ref?: Ref<HTMLAnchorElement>
}

function EvidenceAnchor({ behind, children, className, ...rest }: Props) {
  return (
    <a {...rest} className={className ? `${styles.evidence} ${className}` : styles.evidence} title={`${behind} behind this`}>
      {children}
      <span className="hidden-text">, {behind} behind this</span>
    </a>
  )
}

/** A number as a link to what it was computed from: `<Evidence to=… search=… behind="188 runs">0.745</Evidence>` */
export const Evidence = createLink(EvidenceAnchor)

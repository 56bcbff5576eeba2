import { useEffect, useState } from "react"
import { onAnnounce } from "../live"

/** The page's one polite live region. */
export function LiveRegion() {
  const [message, setMessage] = useState("")
  useEffect(() => onAnnounce(setMessage), [])
  return (
    <div className="hidden-text" role="status" aria-live="polite">
      {message}
    </div>
  )
}

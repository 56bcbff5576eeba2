import { useEffect } from "react"

/** The document's title, from the narrowest to the widest: "Traces · support-demo · Gnomon". */
export function useTitle(...parts: (string | undefined)[]): void {
  const title = [...parts, "Gnomon"].filter((part) => part !== undefined && part !== "").join(" · ")
  useEffect(() => {
    document.title = title
  }, [title])
}

import { useState } from "react"
import { announce } from "../live"

/** Put text on the clipboard and say so. False where the browser refuses, as it does on plain http. */
export async function copyText(text: string, said = "Copied"): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    announce(said)
    return true
  } catch {
    announce("The browser did not allow copying")
    return false
  }
}

interface Props {
  text: string
  /** What is copied, for the button's name: "the id". */
  what?: string
  label?: string
}

export function Copy({ text, what = "", label = "Copy" }: Props) {
  const [state, setState] = useState<"idle" | "done" | "refused">("idle")
  async function copy(): Promise<void> {
    setState((await copyText(text)) ? "done" : "refused")
    setTimeout(() => setState("idle"), 1500)
  }
  return (
    <button type="button" onClick={() => void copy()}>
      {state === "done" ? "Copied" : state === "refused" ? "Not allowed" : label}
      {what !== "" && <span className="hidden-text"> {what}</span>}
    </button>
  )
}

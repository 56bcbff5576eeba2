// What is said to screen readers: one polite live region, in the shell, for the whole page.

type Listener = (message: string) => void
let listener: Listener | undefined

/** Say something without moving the focus, as "Copied" or "12 traces". */
export function announce(message: string): void {
  listener?.(message)
}

export function onAnnounce(listen: Listener): () => void {
  listener = listen
  return () => {
    if (listener === listen) listener = undefined
  }
}

import type { ReactNode } from "react"
import { useId, useLayoutEffect, useRef } from "react"
import styles from "./Dialog.module.css"

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
  /** Buttons at the foot; without them, one that closes. */
  actions?: ReactNode
  /** Asked before Esc or the button closes; false keeps it open. */
  mayClose?: () => boolean
  wide?: boolean
}

/** A modal dialog while mounted. The browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children, actions, mayClose, wide }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // A layout effect is undone before the element goes, and only then does closing give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    // In development, effects run twice: an open dialog cannot be shown again.
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])
  function close(): void {
    if (mayClose?.() ?? true) onClose()
  }
  return (
    <dialog
      ref={dialog}
      className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        // Choosing a file in a dialog cancels too, and that event bubbles.
        if (event.target !== dialog.current) return
        event.preventDefault()
        close()
      }}
    >
      <h2 id={heading} className={styles.title}>
        {title}
      </h2>
      <div className={styles.body}>{children}</div>
      <div className={styles.actions}>
        {/* First, so that a dialog without fields begins at the harmless button. */}
        <button type="button" onClick={close}>
          {actions ? "Cancel" : "Close"}
        </button>
        {actions}
      </div>
    </dialog>
  )
}

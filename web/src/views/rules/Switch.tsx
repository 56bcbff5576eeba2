import { useSession } from "../../api/queries"
import { refusal } from "../../parts/WriteButton"
import styles from "./Rules.module.css"

interface Props {
  on: boolean
  /** What is switched, for its name: "the rule tone". */
  what: string
  busy: boolean
  onChange: (on: boolean) => void
}

/** On or off. A key that may not change it sees why. */
export function Switch({ on, what, busy, onChange }: Props) {
  const reason = refusal(useSession(), "write")
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-disabled={reason !== undefined || busy}
      aria-label={reason === undefined ? what : `${what}. ${reason}`}
      title={reason ?? (on ? "Switch it off" : "Switch it on")}
      className={styles.switch}
      onClick={() => {
        if (reason === undefined && !busy) onChange(!on)
      }}
    >
      <span className={styles.knob} aria-hidden="true" />
      {busy ? "…" : on ? "On" : "Off"}
    </button>
  )
}

import { useState } from "react"
import type { Binding, KeyId } from "../keys"
import { KEYS, keyLabel, liveKeys, singleKeysOn, switchSingleKeys } from "../keys"
import { Dialog } from "../parts/Dialog"
import styles from "./KeysDialog.module.css"

/** The keyboard map as `?` shows it: first what works on this page; `only` that, for who sees no other. */
export function KeysDialog({ onClose, only = false }: { onClose: () => void; only?: boolean }) {
  const [on, setOn] = useState(singleKeysOn)
  const live = liveKeys()
  const ids = Object.keys(KEYS) as KeyId[]
  return (
    <Dialog title="Keys" onClose={onClose}>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => {
            switchSingleKeys(event.target.checked)
            setOn(event.target.checked)
          }}
        />
        Single-letter keys act (not in text fields, never in dialogs)
      </label>
      <KeyTable title="On this page" ids={ids.filter((id) => live.has(id))} />
      {!only && <KeyTable title="On other pages" ids={ids.filter((id) => !live.has(id))} />}
    </Dialog>
  )
}

function KeyTable({ title, ids }: { title: string; ids: KeyId[] }) {
  if (ids.length === 0) return null
  return (
    <table className={styles.table}>
      <caption>{title}</caption>
      <tbody>
        {ids.map((id) => {
          const binding: Binding = KEYS[id]
          return (
            <tr key={id}>
              <th scope="row">
                {binding.keys.map((key) => (
                  <kbd key={key}>{keyLabel(key)}</kbd>
                ))}
              </th>
              <td>{binding.does}</td>
              <td className="mute">{binding.where}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

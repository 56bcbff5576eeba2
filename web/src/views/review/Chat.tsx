import type { Card } from "../../api/review"
import { Text } from "../../parts/Text"
import { countWords } from "../../words/format"
import styles from "./Annotate.module.css"
import { roleText } from "./reviewWords"

/** The conversation that the question ends, folded until wanted. */
export function Chat({ chat }: { chat: NonNullable<Card["chat"]> }) {
  return (
    <details className={styles.folded}>
      <summary>The whole conversation, {countWords(chat.messages.length + chat.left_out, "message")}</summary>
      {chat.left_out > 0 && <p className="mute">The first {countWords(chat.left_out, "message")} of it: too long to be here.</p>}
      <ol className={styles.chat} aria-label="The whole conversation">
        {chat.messages.map((message, at) => (
          <li key={at}>
            <b>{roleText(message.role)}</b>
            {message.text.trim() === "" ? <p className="mute">no text</p> : <Text text={message.text} />}
          </li>
        ))}
      </ol>
    </details>
  )
}

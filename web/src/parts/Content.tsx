import { useState } from "react"
import { bytesText } from "../words/format"
import styles from "./Content.module.css"
import { Json } from "./Json"
import { jsonText } from "./jsonParts"
import type { Message, Part } from "./messages"
import { messagesOf } from "./messages"
import { Text } from "./Text"

type As = "chat" | "formatted" | "text"

interface Props {
  /** "Input", "Output", "Expected". */
  label: string
  value: unknown
  /** Bytes of the whole value's JSON text. */
  size?: number | undefined
  /** `value` is only the beginning of the JSON text. */
  cut?: boolean
  onLoad?: (() => void) | undefined
  loading?: boolean
  /** Why there is nothing, if there is nothing. */
  absent?: string
}

/** An input or output as it reads best: a conversation, a tree of JSON, or plain text. Never HTML. */
export function Content({ label, value, size, cut = false, onLoad, loading = false, absent }: Props) {
  const messages = cut ? undefined : messagesOf(value)
  const [own, setOwn] = useState<As>()
  const choices = choicesOf(value, messages, cut)
  const as = own !== undefined && choices.includes(own) ? own : choices[0]
  return (
    <section className={styles.content}>
      <div className={styles.head}>
        <h3>{label}</h3>
        {size !== undefined && size > 0 && <span className="mute">{bytesText(size)}</span>}
        {choices.length > 1 && (
          <div role="group" aria-label={`${label} as`} className={styles.choices}>
            {choices.map((choice) => (
              <button key={choice} type="button" data-kind="plain" aria-pressed={choice === as} onClick={() => setOwn(choice)}>
                {choice}
              </button>
            ))}
          </div>
        )}
      </div>
      {value === null || value === undefined ? (
        <p className="mute">{absent ?? `The span has no ${label.toLowerCase()}.`}</p>
      ) : cut ? (
        <Text text={String(value)} size={size} onLoad={onLoad} loading={loading} label={label} mono />
      ) : as === "chat" && messages !== undefined ? (
        <Chat messages={messages} label={label} />
      ) : as === "formatted" ? (
        <Json value={value} as="formatted" label={label} />
      ) : (
        <Text text={typeof value === "string" ? value : jsonText(value)} label={label} mono={typeof value !== "string"} />
      )}
    </section>
  )
}

function choicesOf(value: unknown, messages: Message[] | undefined, cut: boolean): As[] {
  if (cut || typeof value === "string" || value === null || value === undefined) return ["text"]
  const tree: As[] = typeof value === "object" ? ["formatted", "text"] : ["text"]
  return messages === undefined ? tree : ["chat", ...tree]
}

const SHOWN_MESSAGES = 30

/** The last messages of a conversation; the ones before on demand. */
function Chat({ messages, label }: { messages: Message[]; label: string }) {
  const [all, setAll] = useState(false)
  const from = all ? 0 : Math.max(0, messages.length - SHOWN_MESSAGES)
  return (
    <ol className={styles.chat} aria-label={label} start={from + 1}>
      {from > 0 && (
        <li>
          <button type="button" onClick={() => setAll(true)}>
            {from} earlier messages
          </button>
        </li>
      )}
      {messages.slice(from).map((message, index) => (
        <li key={from + index} className={styles.message} data-role={message.role}>
          <span className={styles.role}>
            <Text text={message.role} />
          </span>
          <div className={styles.parts}>
            {message.parts.length === 0 && <span className="mute">no content</span>}
            {message.parts.map((part, at) => (
              <MessagePart key={at} part={part} />
            ))}
          </div>
        </li>
      ))}
    </ol>
  )
}

function MessagePart({ part }: { part: Part }) {
  if (part.kind === "text") return <Text text={part.text} />
  const words = part.kind === "call" ? `calls ${part.name}` : part.kind === "result" ? `result of ${part.name}` : "other content"
  return (
    <details className={styles.part} open={part.kind !== "other"}>
      <summary>
        <Text text={words} />
      </summary>
      {typeof part.detail === "string" ? <Text text={part.detail} mono /> : <Json value={part.detail} as="formatted" label={words} />}
    </details>
  )
}

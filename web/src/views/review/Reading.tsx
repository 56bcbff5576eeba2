import type { Card, Readable } from "../../api/review"
import { Json } from "../../parts/Json"
import { Markdown } from "../../parts/Markdown"
import { Text } from "../../parts/Text"
import { annotateSearch } from "../../searches"
import { useViewState } from "../../viewState"
import { bytesText } from "../../words/format"
import styles from "./Annotate.module.css"
import { Chat } from "./Chat"

/** Question and answer as a person reads them; as written, or as data, when asked. */
export function Reading({ card }: { card: Card }) {
  const [{ as }, change] = useViewState(annotateSearch)
  const data = dataOf(card)
  return (
    <div className={styles.reading}>
      <Part name="Question" text={card.question} as={as} data={data?.question} />
      {card.chat && as !== "data" && <Chat chat={card.chat} />}
      <Part name="Answer" text={card.answer} as={as} data={data?.answer} />
      {card.expected && <Part name="Expected answer" text={card.expected} as={as} />}
      <div className={styles.as} role="group" aria-label="Show the texts">
        <button type="button" data-kind="plain" aria-pressed={as === undefined} onClick={() => change({ as: undefined })}>
          Formatted
        </button>
        <button type="button" data-kind="plain" aria-pressed={as === "text"} onClick={() => change({ as: "text" })}>
          As written
        </button>
        {data && (
          <button type="button" data-kind="plain" aria-pressed={as === "data"} onClick={() => change({ as: "data" })}>
            As data
          </button>
        )}
      </div>
    </div>
  )
}

/** The values behind the texts, where a text is not all that there is and the values came whole. */
function dataOf(card: Card): { question: unknown; answer: unknown } | undefined {
  const root = card.root_span
  const isText = (text: Readable | null | undefined): boolean => text == null || text.format === "text"
  if (root == null || root.truncated?.length || (isText(card.question) && isText(card.answer))) return undefined
  return { question: root.input, answer: root.output }
}

interface PartProps {
  name: string
  text: Readable | null | undefined
  as: "text" | "data" | undefined
  data?: unknown
}

function Part({ name, text, as, data }: PartProps) {
  return (
    <section className={styles.part} aria-label={name}>
      <h2>
        {name}
        {text?.format === "chat" && (
          <span className={styles.badge}>last message of a chat</span>
        )}
      </h2>
      {as === "data" && data !== undefined ? (
        <Json value={data} as="formatted" label={name} />
      ) : text == null || text.text.trim() === "" ? (
        <p className="mute">There is none.</p>
      ) : as === "text" || text.format === "json" ? (
        <Text text={text.text} />
      ) : (
        <Markdown text={text.text} below={2} />
      )}
      {text?.truncated && <p className="mute">Only the beginning is shown, of {bytesText(text.size)}.</p>}
    </section>
  )
}

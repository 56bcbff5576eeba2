import { Fragment, useState } from "react"
import { bytesText } from "../words/format"
import { beginning, chunksOf, piecesOf, SHOWN_WHOLE } from "./textPieces"
import styles from "./Text.module.css"

interface Props {
  text: string
  /** The whole size in bytes where `text` is only its beginning, as the server cut it. */
  size?: number | undefined
  /** Asks for the whole text; the caller then passes it as `text`. */
  onLoad?: (() => void) | undefined
  loading?: boolean
  mono?: boolean
  /** For a scrolling box: what it holds, as "Input". */
  label?: string
}

/** Text as it was written: never HTML, hidden characters shown, long ones begun and continued on demand. */
export function Text({ text, size, onLoad, loading, mono, label }: Props) {
  const [whole, setWhole] = useState(false)
  const cutHere = text.length > SHOWN_WHOLE && !whole
  const cutThere = size !== undefined && onLoad !== undefined
  const shown = cutHere ? beginning(text) : text
  return (
    <div className={styles.frame}>
      <div
        className={mono ? `${styles.text} ${styles.mono}` : styles.text}
        {...(label === undefined ? {} : { role: "group", "aria-label": label, tabIndex: 0 })}
      >
        <Characters text={shown} />
        {(cutHere || cutThere) && "…"}
      </div>
      {(cutHere || cutThere) && (
        <p className={styles.cut}>
          First {bytesText(shown.length)} of {bytesText(size ?? text.length)}.{" "}
          <button type="button" disabled={loading} onClick={cutThere ? onLoad : () => setWhole(true)}>
            {loading ? "Loading…" : "Load full content"}
          </button>
        </p>
      )}
    </div>
  )
}

/** The characters alone, for use inside other elements. */
export function Characters({ text }: { text: string }) {
  const chunks = chunksOf(text)
  return chunks.map((chunk, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {piecesOf(chunk).map((piece, at) =>
        piece.hidden === undefined ? (
          piece.text
        ) : (
          <span key={at} className={styles.hidden} title={`hidden character: ${piece.hidden}`}>
            {piece.hidden}
          </span>
        ),
      )}
    </Fragment>
  ))
}

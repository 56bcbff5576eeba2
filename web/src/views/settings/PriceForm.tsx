import { useState } from "react"
import { fieldMessage } from "../../api/problem"
import { useSession } from "../../api/queries"
import type { ModelPrice, PriceDraft } from "../../api/settings"
import { changePrices } from "../../api/settings"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Field, Fields } from "../../parts/Field"
import { ProblemBox } from "../../parts/Problem"
import { Unsaved } from "../../parts/Unsaved"
import { refusal, WriteButton } from "../../parts/WriteButton"
import type { PriceTexts } from "./amounts"
import { NO_PRICE, readPrice, samePrice } from "./amounts"
import styles from "./Settings.module.css"

// The new price is sent first, so that the server's messages about it begin with `prices[0]`.
const SENT: Record<keyof PriceTexts, string> = {
  model: "prices[0].model",
  input: "prices[0].input_usd_per_million",
  output: "prices[0].output_usd_per_million",
  cached: "prices[0].cached_input_usd_per_million",
  since: "prices[0].since",
}

const LABELS: [field: keyof PriceTexts, label: string, hint: string][] = [
  ["model", "Model", "As judges name it: openai/gpt-4o, or the model alone."],
  ["input", "Input", "US dollars per million tokens."],
  ["output", "Output", "US dollars per million tokens."],
  ["cached", "Cached input", "Empty: as other input."],
  ["since", "Holds since", "The day in UTC. Empty: always."],
]

/** Add a price, or replace the one that the model has from the same day on. */
export function PriceForm({ project, prices }: { project: string; prices: ModelPrice[] }) {
  const refused = refusal(useSession(), "write")
  const [texts, setTexts] = useState(NO_PRICE)
  const [tried, setTried] = useState(false)
  const { draft, problems } = readPrice(texts)
  const replaces = draft !== undefined && prices.some((price) => samePrice(draft, price))
  const write = useWrite(
    (added: PriceDraft) => changePrices(project, (now) => [added, ...now.filter((one) => !samePrice(added, one))]),
    {
      changes: [["settings", project, "prices"]],
      onDone: (_, added) => {
        setTexts(NO_PRICE)
        setTried(false)
        announce(`The price of ${added.model} is saved.`)
      },
    },
  )
  function save(): void {
    setTried(true)
    if (draft) write.run(draft)
  }
  const typed = Object.values(texts).some((text) => text !== "")
  return (
    <section className={styles.section} aria-label="Add a price">
      <h2>Add a price</h2>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (refused === undefined && !write.busy) save()
        }}
      >
        <Fields refused={refused} legend="The new price">
          <div className={styles.line}>
            {LABELS.map(([field, label, hint]) => (
              <Field key={field} label={label} hint={hint} problem={(tried ? problems[field] : undefined) ?? fieldMessage(write.problem, SENT[field])}>
                {(given) => (
                  <input
                    {...given}
                    type={field === "since" ? "date" : "text"}
                    inputMode={field === "model" || field === "since" ? undefined : "decimal"}
                    autoComplete="off"
                    value={texts[field]}
                    onChange={(event) => setTexts({ ...texts, [field]: event.target.value })}
                  />
                )}
              </Field>
            ))}
          </div>
        </Fields>
        {replaces && <p>The model has a price from that day on already; it is replaced.</p>}
        {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} shownFields={Object.values(SENT)} />}
        <div className={styles.buttons}>
          <WriteButton kind="main" busy={write.busy} onClick={save}>
            {write.busy ? "Saving…" : replaces ? "Replace the price" : "Add the price"}
          </WriteButton>
          {typed && (
            <button type="button" onClick={() => (setTexts(NO_PRICE), setTried(false))}>
              Clear
            </button>
          )}
        </div>
      </form>
      <Unsaved when={typed && !write.busy} what="A price was typed and is not saved." />
    </section>
  )
}

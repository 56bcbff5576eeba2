import { useId } from "react"
import type { AskableModels } from "../../api/playground"
import { Field } from "../../parts/Field"
import type { Candidate, Speaker } from "./form"
import styles from "./Playground.module.css"

interface Props {
  letter: string
  /** How the server names it. */
  path: string
  candidate: Candidate
  models: AskableModels | undefined
  messageOf: (field: string) => string | undefined
  onEdit: (candidate: Candidate) => void
  onFocus: (field: HTMLTextAreaElement) => void
  onRemove: (() => void) | undefined
}

const SPEAKERS: readonly Speaker[] = ["system", "user", "assistant"]

/** One prompt, its model and the settings of its answer. */
export function CandidateEditor({ letter, path, candidate, models, messageOf, onEdit, onFocus, onRemove }: Props) {
  const edit = (patch: Partial<Candidate>): void => onEdit({ ...candidate, ...patch })
  return (
    <section className={styles.candidate} aria-label={`Candidate ${letter}`}>
      <div className={styles.top}>
        <h2>Candidate {letter}</h2>
        {onRemove && (
          <button type="button" data-kind="plain" onClick={onRemove}>
            Remove <span className="hidden-text">candidate {letter}</span>
          </button>
        )}
      </div>
      <ModelField candidate={candidate} models={models} problem={messageOf(`${path}.model`)} onEdit={(model) => edit({ model })} />
      <Messages candidate={candidate} path={path} messageOf={messageOf} edit={edit} onFocus={onFocus} />
      <div className={styles.settings}>
        <Field label="Temperature" problem={messageOf(`${path}.temperature`)}>
          {(field) => <input {...field} inputMode="decimal" value={candidate.temperature} placeholder="the model's" onChange={(event) => edit({ temperature: event.target.value })} />}
        </Field>
        <Field label="Most output tokens" problem={messageOf(`${path}.max_tokens`)}>
          {(field) => <input {...field} inputMode="numeric" value={candidate.maxTokens} placeholder="the model's" onChange={(event) => edit({ maxTokens: event.target.value })} />}
        </Field>
        <Field label="Others, as JSON" problem={messageOf(`${path}.params`)}>
          {(field) => <input {...field} className={styles.mono} value={candidate.more} placeholder='{"top_p": 0.9}' spellCheck={false} autoComplete="off" onChange={(event) => edit({ more: event.target.value })} />}
        </Field>
      </div>
    </section>
  )
}

interface MessagesProps {
  candidate: Candidate
  path: string
  messageOf: (field: string) => string | undefined
  edit: (patch: Partial<Candidate>) => void
  onFocus: (field: HTMLTextAreaElement) => void
}

function Messages({ candidate, path, messageOf, edit, onFocus }: MessagesProps) {
  const { messages } = candidate
  const put = (at: number, patch: Partial<(typeof messages)[number]>): void =>
    edit({ messages: messages.map((message, index) => (index === at ? { ...message, ...patch } : message)) })
  const next: Speaker = messages.at(-1)?.role === "user" ? "assistant" : "user"
  return (
    <>
      {messages.map((message, at) => (
        <div key={at} className={styles.message}>
          <div className={styles.top}>
            <select aria-label={`Who says message ${at + 1}`} value={message.role} onChange={(event) => put(at, { role: event.target.value as Speaker })}>
              {SPEAKERS.map((role) => (
                <option key={role}>{role}</option>
              ))}
            </select>
            {messages.length > 1 && (
              <button type="button" data-kind="plain" onClick={() => edit({ messages: messages.filter((_, index) => index !== at) })}>
                Remove <span className="hidden-text">message {at + 1}</span>
              </button>
            )}
          </div>
          <Field label={<span className="hidden-text">Message {at + 1}</span>} problem={messageOf(`${path}.messages[${at}].content`)}>
            {(field) => (
              <textarea
                {...field}
                className={styles.mono}
                rows={Math.min(14, Math.max(message.role === "system" ? 2 : 3, message.content.split("\n").length))}
                value={message.content}
                onFocus={(event) => onFocus(event.target)}
                onChange={(event) => put(at, { content: event.target.value })}
              />
            )}
          </Field>
        </div>
      ))}
      <button type="button" data-kind="plain" className={styles.start} onClick={() => edit({ messages: [...messages, { role: next, content: "" }] })}>
        Add a message
      </button>
    </>
  )
}

interface ModelProps {
  candidate: Candidate
  models: AskableModels | undefined
  problem: string | undefined
  onEdit: (model: string) => void
}

/** Any name may be typed; those that are known are offered. */
function ModelField({ candidate, models, problem, onEdit }: ModelProps) {
  const id = useId()
  const open = models?.providers.filter((provider) => provider.can_ask) ?? []
  const names = [...new Set([...(models?.used ?? []), ...open.flatMap((provider) => provider.models)])]
  const hint =
    models === undefined ? undefined
    : open.length === 0 ? "This server can ask no model yet. Start it with a provider's key in its environment, such as OPENAI_API_KEY, or with OPENAI_BASE_URL for any server that speaks OpenAI's protocol."
    : `This server can ask ${open.map((provider) => provider.provider).join(", ")}.`
  return (
    <Field label="Model" hint={hint} problem={problem}>
      {(field) => (
        <>
          <input {...field} list={`${id}-names`} value={candidate.model} placeholder="openai/gpt-4o-mini" autoComplete="off" spellCheck={false} onChange={(event) => onEdit(event.target.value)} />
          <datalist id={`${id}-names`}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

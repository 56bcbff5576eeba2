import { useEffect, useRef, useState } from "react"
import { SERVER } from "../../address"
import { fieldMessage } from "../../api/problem"
import { useSession } from "../../api/queries"
import { createReviewLink } from "../../api/review"
import { useWrite } from "../../api/write"
import { announce } from "../../live"
import { Copy } from "../../parts/Copy"
import { Field, Fields } from "../../parts/Field"
import { ProblemBox } from "../../parts/Problem"
import { Unsaved } from "../../parts/Unsaved"
import { refusal, WriteButton } from "../../parts/WriteButton"
import { momentText } from "../../words/time"
import styles from "./Settings.module.css"

interface Invitation {
  name: string
  link: string
  expiresAt: string
}

/** A link for somebody who reviews and sees nothing else. It stands in this component while it is shown, and nowhere else. */
export function InviteReviewer({ project }: { project: string }) {
  const refused = refusal(useSession(), "admin")
  const [name, setName] = useState("")
  const [days, setDays] = useState("7")
  const [invitation, setInvitation] = useState<Invitation>()
  const daysProblem = /^[1-9]\d{0,3}$/.test(days.trim()) ? undefined : `“${days}” is not a whole number of days; write it as 7`
  const write = useWrite(
    async (draft: { name: string; days: number }, once: string) => {
      const answer = await createReviewLink({ project_id: project, ...draft }, once)
      setInvitation({ name: draft.name, link: SERVER + answer.url_path, expiresAt: answer.expires_at })
    },
    {
      changes: [["keys"]],
      onDone: () => {
        setName("")
        announce("The link is made. Copy it now.")
      },
    },
  )
  if (invitation) return <Link invitation={invitation} onDone={() => setInvitation(undefined)} />
  const wrong = name.trim() === "" ? "Say who it is for." : daysProblem
  const submit = (): void => write.run({ name: name.trim(), days: Number(days) })
  return (
    <section className={styles.section} aria-label="Invite a reviewer">
      <h2>Invite a reviewer</h2>
      <p>Makes a link that works once. Whoever opens it sees the review queue of this project, reviews under this name, and sees nothing else.</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (refused === undefined && wrong === undefined && !write.busy) submit()
        }}
      >
        <Fields refused={refused} legend="The invitation">
          <div className={styles.line}>
            <Field label="Reviewer's name" hint="Their reviews are stored under it." problem={fieldMessage(write.problem, "name")}>
              {(field) => <input {...field} value={name} maxLength={256} autoComplete="off" onChange={(event) => setName(event.target.value)} />}
            </Field>
            <Field label="Days" hint="How long they may review." problem={daysProblem ?? fieldMessage(write.problem, "days")}>
              {(field) => <input {...field} inputMode="numeric" value={days} onChange={(event) => setDays(event.target.value)} />}
            </Field>
          </div>
        </Fields>
        {write.problem && <ProblemBox problem={write.problem} onRetry={write.retry} shownFields={["name", "days"]} />}
        <div className={styles.buttons}>
          <WriteButton needs="admin" kind="main" busy={write.busy} refused={wrong} submits>
            {write.busy ? "Making the link…" : "Make the link"}
          </WriteButton>
        </div>
      </form>
    </section>
  )
}

/** The only time that the link is seen. */
function Link({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that was pressed is gone: readers go on here.
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className={styles.secret} aria-label="The review link">
      <h2 ref={heading} tabIndex={-1}>
        The link for “{invitation.name}”
      </h2>
      <p>
        <b>Copy it now: it is shown this once.</b> Send it to {invitation.name} and to nobody else: it logs in whoever opens it first, until{" "}
        {momentText(invitation.expiresAt)}. Revoking the key “{invitation.name}” below ends it sooner.
      </p>
      <div className={styles.command}>
        <pre tabIndex={0} aria-label="Link">
          {invitation.link}
        </pre>
        <Copy text={invitation.link} what="the link" />
      </div>
      <div className={styles.buttons}>
        <button type="button" data-kind="main" onClick={onDone}>
          I have sent it
        </button>
      </div>
      <Unsaved when what={`The link for “${invitation.name}” is shown only now. Nobody can show it again.`} />
    </section>
  )
}

import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useRef } from "react"
import { asProblem } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import type { QueueFilter, Reviewer } from "../../api/review"
import { countsQuery, nextCard, queueQuery } from "../../api/review"
import { useWrite } from "../../api/write"
import { useKeys, withKey } from "../../keys"
import { TextFilter } from "../../parts/Filters"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import type { StateOf } from "../../params"
import { reviewSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText } from "../../words/format"
import { Empty } from "./Empty"
import { Progress } from "./Progress"
import styles from "./Queue.module.css"
import { QueueCard } from "./QueueCard"
import { ReviewerName } from "./ReviewerName"
import { SavedBar } from "./SavedBar"
import { changeSitting } from "./sitting"
import type { KnownReviewer } from "./useReviewer"
import { callerOf, useReviewer } from "./useReviewer"

/** How often to look for new cards and claims while the page is in sight; a reviewer's key has no stream of events. */
const LOOK_MS = 30_000

type State = StateOf<typeof reviewSearch>

/** What waits for a person's opinion, the longest waiting first. */
export function Queue() {
  useTitle("Review")
  const { project = "" } = useParams({ strict: false })
  const reviewer = useReviewer(project)
  const [state, change] = useViewState(reviewSearch)
  const list = useInfiniteQuery({ ...queueQuery(callerOf(reviewer), filterOf(state, reviewer.name !== "")), refetchInterval: LOOK_MS })
  const rows = rowsOf(list.data)
  const cards = useCardKeys()
  return (
    <div className={styles.page}>
      <Start reviewer={reviewer} />
      <ReviewerName reviewer={reviewer} />
      <SavedBar reviewer={reviewer} />
      <Choices reviewer={reviewer} state={state} change={change} />
      {list.error ? (
        <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : rows === undefined ? (
        <Loading what="the queue" rows={4} rowHeight={160} />
      ) : rows.length === 0 && !list.hasNextPage ? (
        <Empty reviewer={reviewer} show={state.show} find={state.q} onClear={() => change({ q: undefined })} />
      ) : (
        <ol className={styles.cards} ref={cards} aria-label="Cards" aria-busy={list.isPlaceholderData}>
          {rows.map((row) => (
            <li key={`${row.target_type}/${row.target_id}`}>
              <QueueCard row={row} reviewer={reviewer} />
            </li>
          ))}
        </ol>
      )}
      {list.hasNextPage && (
        <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchingNextPage ? "Loading…" : "Show more"}
        </button>
      )}
    </div>
  )
}

/** What waits for this person, unless they ask for what they, or all, have done. */
function filterOf(state: State, isNamed: boolean): QueueFilter {
  const waiting: QueueFilter = isNamed ? { status: "pending", mine: false } : { status: "pending" }
  const which: QueueFilter = state.show === "done" ? { status: "annotated" } : state.show === "mine" && isNamed ? { mine: true } : waiting
  return { ...which, target_type: state.type, q: state.q }
}

function Start({ reviewer }: { reviewer: KnownReviewer }) {
  const counts = useQuery({ ...countsQuery(callerOf(reviewer)), refetchInterval: LOOK_MS })
  const start = useStart(callerOf(reviewer))
  const left = counts.data?.left_for_me ?? 0
  useKeys({ "review.next": start.run }, { on: left > 0 })
  return (
    <div className={styles.head}>
      <div>
        <h1>Review</h1>
        {counts.data ? <Progress counts={counts.data} /> : <p className="mute">&nbsp;</p>}
      </div>
      {left > 0 && (
        <button type="button" data-kind="main" className={styles.start} disabled={start.busy} onClick={start.run} title={withKey("Open the card that waits longest", "review.next")}>
          {reviewer.refused === undefined ? "Start reviewing" : "Look through the cards"}
        </button>
      )}
      {reviewer.refused !== undefined && <p className={styles.refused}>{reviewer.refused} You can read the cards, but not review them.</p>}
      {(start.problem ?? (counts.error ? asProblem(counts.error) : null)) && (
        <ProblemBox problem={start.problem ?? asProblem(counts.error)} onRetry={start.problem ? start.retry : () => void counts.refetch()} />
      )}
    </div>
  )
}

function useStart(reviewer: Reviewer) {
  const navigate = useNavigate()
  const next = useWrite(() => nextCard(reviewer, undefined), {
    onDone: ({ card }) => {
      if (card === null) changeSitting({ notice: "Nothing is free just now: others are reviewing what is left." })
      else {
        changeSitting({ notice: undefined, arrived: { type: card.target_type, id: card.target_id } })
        const params = { project: reviewer.project, type: card.target_type, target: card.target_id }
        void navigate({ to: "/projects/$project/review/$type/$target", params })
      }
    },
  })
  return { run: () => next.run(undefined), busy: next.busy, problem: next.problem, retry: next.retry }
}

interface ChoicesProps {
  reviewer: KnownReviewer
  state: State
  change: (patch: { show?: State["show"]; q?: string | undefined }) => void
}

function Choices({ reviewer, state, change }: ChoicesProps) {
  const { data } = useQuery(countsQuery(callerOf(reviewer)))
  const choices: { show: State["show"]; label: string; count: number | undefined }[] = [
    { show: undefined, label: "To review", count: data?.left_for_me },
    { show: "mine", label: "Reviewed by you", count: data?.mine },
    { show: "done", label: "Done", count: data?.annotated },
  ]
  return (
    <div className={styles.choices}>
      <div role="group" aria-label="Which cards" className={styles.which}>
        {choices.map(({ show, label, count }) => (
          <button key={label} type="button" aria-pressed={state.show === show} onClick={() => change({ show })}>
            {label} {count !== undefined && <span className={styles.count}>{countText(count)}</span>}
          </button>
        ))}
      </div>
      <TextFilter label="Find words" find value={state.q} onChange={(q) => change({ q })} />
    </div>
  )
}

/** `j` and `k` walk through the cards. */
function useCardKeys() {
  const list = useRef<HTMLOListElement>(null)
  function move(step: number): void {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("a[data-card]") ?? [])]
    const now = links.indexOf(document.activeElement as HTMLElement)
    const to = now === -1 ? 0 : Math.max(0, Math.min(links.length - 1, now + step))
    links[to]?.focus()
  }
  useKeys({ "row.next": () => move(1), "row.previous": () => move(-1) }, { scope: list })
  return list
}


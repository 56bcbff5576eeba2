import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useEffect } from "react"
import type { ConversationRow } from "../../api/conversations"
import { conversationQuery, conversationScoresQuery, turnsQuery } from "../../api/conversations"
import { asProblem, blocks } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { useKeys } from "../../keys"
import { Copy } from "../../parts/Copy"
import { Cost } from "../../parts/Cost"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { ScoreItem } from "../../parts/ScoreItem"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { conversationSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText, scoreText } from "../../words/format"
import { placeWords, turnsWords } from "./conversationColumns"
import styles from "./Conversations.module.css"
import { Turns } from "./Turns"

/** One conversation: what was said in it, turn by turn, and how each turn was scored. */
export function Conversation() {
  const { project = "", conversation: id = "" } = useParams({ strict: false })
  const [{ turn, as }, change] = useViewState(conversationSearch)
  const shown = useQuery(conversationQuery(project, id))
  const scores = useQuery(conversationScoresQuery(project, id))
  const list = useInfiniteQuery(turnsQuery(project, id))
  const turns = rowsOf(list.data)
  const at = turns?.findIndex((row) => row.id === turn) ?? -1
  useTitle(`Conversation ${id}`)
  useKeys({
    "item.next": () => change({ turn: turns?.[at + 1]?.id ?? turn }),
    "item.previous": () => change({ turn: turns?.[Math.max(0, at - 1)]?.id ?? turn }),
  })
  // The turn that the address names may be on a later page.
  const { hasNextPage, isFetching, fetchNextPage } = list
  const isSought = turn !== undefined && turns !== undefined && at < 0 && hasNextPage
  useEffect(() => {
    if (isSought && !isFetching) void fetchNextPage()
  }, [isSought, isFetching, fetchNextPage])
  if (blocks(shown)) return <ProblemBox problem={asProblem(shown.error)} onRetry={() => void shown.refetch()} />
  if (!shown.data) return <Loading what="the conversation" rows={10} />
  const problem = list.error ?? scores.error
  return (
    <div className={styles.conversation}>
      <Head
        title={<Characters text={shown.data.first_words?.trim() || id} />}
        about={<About row={shown.data} />}
        actions={
          <>
            <Copy text={id} what="of the conversation" label="Copy the id" />
            <Link to="/projects/$project/conversations" params={{ project }}>
              All conversations
            </Link>
          </>
        }
      />
      <Worst project={project} row={shown.data} />
      {(scores.data?.items.length ?? 0) > 0 && (
        <section className={styles.whole} aria-labelledby="whole-head">
          <h2 id="whole-head">Scores of the whole conversation</h2>
          <ul>
            {scores.data?.items.map((score) => (
              <ScoreItem key={score.id} score={score} />
            ))}
          </ul>
        </section>
      )}
      <div className={styles.as} role="group" aria-label="Show the texts">
        <button type="button" data-kind="plain" aria-pressed={as === undefined} onClick={() => change({ as: undefined })}>
          Formatted
        </button>
        <button type="button" data-kind="plain" aria-pressed={as === "text"} onClick={() => change({ as: "text" })}>
          As written
        </button>
      </div>
      {problem && <ProblemBox problem={asProblem(problem)} onRetry={() => void Promise.all([list.refetch(), scores.refetch()])} />}
      {!problem && turns === undefined && <Loading what="the turns" rows={6} />}
      {turns && <Turns project={project} turns={turns} chosen={turn} isPlain={as === "text"} />}
      {hasNextPage && (
        <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {isFetching ? "Loading…" : `Show more of the ${countText(shown.data.trace_count)} turns`}
        </button>
      )}
    </div>
  )
}

function About({ row }: { row: ConversationRow }) {
  return (
    <p className={styles.facts}>
      <span>
        conversation <Characters text={row.id} />
      </span>
      {row.user_id != null && (
        <span>
          user <Characters text={row.user_id} />
        </span>
      )}
      <span>{turnsWords(row)}</span>
      {row.tokens > 0 && <span>{countText(row.tokens, "tok")}</span>}
      {(row.cost_usd != null || row.unpriced_span_count > 0) && (
        <span>
          cost <Cost of={row} what="conversation" />
        </span>
      )}
      <Time at={row.started_at ?? row.created_at} />
    </p>
  )
}

/** Where each scorer gave its lowest number, as a way to that turn. */
function Worst({ project, row }: { project: string; row: ConversationRow }) {
  const ofTurns = (row.worst_scores ?? []).filter((worst) => worst.trace_id !== null)
  if (ofTurns.length === 0) return null
  return (
    <nav className={styles.lowest} aria-label="Lowest scores">
      <span className="mute">Lowest scores:</span>
      {ofTurns.map((worst) => (
        <Link
          key={worst.scorer_name}
          to="/projects/$project/conversations/$conversation"
          params={{ project, conversation: row.id }}
          search={(before: object) => ({ ...before, turn: worst.trace_id ?? undefined })}
          resetScroll={false}
        >
          <Characters text={worst.scorer_name} /> {scoreText(worst.value)}, {placeWords(worst)}
        </Link>
      ))}
    </nav>
  )
}

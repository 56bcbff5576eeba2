import { useInfiniteQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { conversationsQuery, PAGE } from "../../api/conversations"
import { asProblem, blocks } from "../../api/problem"
import { rowsOf } from "../../api/queries"
import { NothingMatches, NothingYet } from "../../parts/Empty"
import { Filters, TextFilter, TimeFilter, ToggleFilter } from "../../parts/Filters"
import { Head } from "../../parts/Head"
import { ProblemBox } from "../../parts/Problem"
import { Table } from "../../parts/Table"
import { conversationsSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { conversationColumns } from "./conversationColumns"
import { chipsOf, filterOf, NO_FILTER } from "./conversationFilters"
import styles from "./Conversations.module.css"

/** Conversations with how they began, what went worst in each, and what they cost. */
export function Conversations() {
  useTitle("Conversations")
  const { project = "" } = useParams({ strict: false })
  const [state, change] = useViewState(conversationsSearch)
  const [now] = useState(() => Date.now())
  const filter = useMemo(() => filterOf(project, state, now), [project, state, now])
  const list = useInfiniteQuery(conversationsQuery(filter))
  const columns = useMemo(() => conversationColumns(project), [project])
  const rows = rowsOf(list.data)
  const chips = chipsOf(state, change)
  const clear = (): void => change(NO_FILTER)
  const navigate = useNavigate()
  const open = (id: string): void =>
    void navigate({ to: "/projects/$project/conversations/$conversation", params: { project, conversation: id } })
  return (
    <div className={styles.page}>
      <Head title="Conversations" about="Traces that name the same conversation or session, newest first." />
      <Filters label="Filter the conversations" active={chips} onClear={clear}>
        <TextFilter label="Words in a turn" find wide value={state.q} onChange={(q) => change({ q })} />
        <TextFilter label="User" value={state.user} onChange={(user) => change({ user })} />
        <TimeFilter after={state.after} before={state.before} onChange={({ after, before }) => change({ after, before })} />
        <ToggleFilter label="Errors only" on={state.error === true} onChange={(on) => change({ error: on || undefined })} />
      </Filters>
      {blocks(list) ? (
        <ProblemBox problem={asProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : rows?.length === 0 ? (
        chips.length > 0 ? <NothingMatches what="conversations" filters={chips} onClear={clear} /> : <NoConversations />
      ) : (
        <Table
          label="Conversations"
          rows={rows}
          rowKey={(row) => row.id}
          columns={columns}
          onOpen={(row) => open(row.id)}
          busy={list.isPlaceholderData}
          more={{ has: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage(), size: PAGE }}
        />
      )}
    </div>
  )
}

function NoConversations() {
  return (
    <NothingYet title="No conversations yet" command={`@gn.trace(name="turn", metadata={"session.id": "visit-7", "user.id": "u-12"})`}>
      Traces become one conversation when their spans name the same gen_ai.conversation.id, or else the same session.id. One
      span per trace is enough.
    </NothingYet>
  )
}

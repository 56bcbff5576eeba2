import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { SERVER, SHARE } from "../../address"
import type { Leaderboard as Board } from "../../api/leaderboard"
import { boardQuery, pagePath, rankedDatasetsQuery, rankingScorersQuery } from "../../api/leaderboard"
import { asProblem } from "../../api/problem"
import { useProjectName } from "../../api/queries"
import { useKeys, withKey } from "../../keys"
import { NothingYet } from "../../parts/Empty"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Share } from "../../parts/Share"
import { Characters } from "../../parts/Text"
import { RankedForest } from "../../plots/RankedForest"
import { useWidth } from "../../plots/useWidth"
import { leaderboardSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countWords, serverWords } from "../../words/format"
import { isSmall, methodWords, notesOf } from "../../words/methods"
import { AgentPanel } from "./AgentPanel"
import { BoardTabs } from "./BoardTabs"
import styles from "./Leaderboard.module.css"
import { Pickers } from "./Pickers"

/** Who is ahead on a dataset, by one scorer, and how surely. */
export function Leaderboard() {
  const { project = "" } = useParams({ strict: false })
  const [state, change] = useViewState(leaderboardSearch)
  useTitle("Leaderboard", useProjectName(project))
  useKeys({ "plot.zoom": () => change({ zoom: state.zoom ? undefined : true }) })
  const datasets = useQuery({ ...rankedDatasetsQuery(project), enabled: SHARE === undefined })
  const dataset = state.dataset ?? datasets.data?.[0]?.id
  const scorers = useQuery(rankingScorersQuery(project, dataset))
  const scorer = state.scorer ?? scorers.data?.[0]
  const reading = { missing: state.missing, k: state.k, pass_threshold: state.bar, min_effect: state.effect }
  const board = useQuery(boardQuery(dataset, scorer, reading))
  const problem = datasets.error ?? scorers.error ?? board.error
  if (datasets.data?.length === 0) return <NothingToRank project={project} />
  const agent = board.data?.agents.find((agent) => agent.agent_id === state.agent)
  return (
    <div className={styles.page}>
      <Head
        title="Leaderboard"
        about={board.data === undefined ? undefined : <About board={board.data} />}
        actions={
          dataset !== undefined &&
          scorer !== undefined &&
          SHARE === undefined && (
            <>
              <Share project={project} noun="leaderboard" params={{ dataset, scorer }} />
              <a data-kind="button" href={pagePath(dataset, scorer, reading)} download={`leaderboard-${board.data?.dataset_name ?? "page"}.html`} title="One file with everything in it; it needs no server and no network">
                Export as a page
              </a>
            </>
          )
        }
      />
      <Pickers datasets={datasets.data ?? []} dataset={dataset} scorers={scorers.data ?? []} scorer={scorer} state={state} change={change} />
      {problem ? (
        <ProblemBox problem={asProblem(problem)} onRetry={() => void board.refetch()} />
      ) : scorers.data?.length === 0 ? (
        <p>No experiment on this dataset has scores in numbers yet, so there is nothing to rank by.</p>
      ) : board.data === undefined ? (
        <Loading what="the leaderboard" rows={10} />
      ) : (
        <div className={styles.page} data-busy={board.isPlaceholderData || undefined} aria-busy={board.isPlaceholderData}>
          <p className={styles.headline} role="status">
            <Characters text={board.data.words?.headline ?? ""} />
          </p>
          <Scores board={board.data} zoom={state.zoom === true} onZoom={() => change({ zoom: state.zoom ? undefined : true })} onOpen={(name) => change({ agent: name })} />
          {agent && <AgentPanel project={project} agent={agent} families={board.data.families ?? []} scorer={scorer} onClose={() => change({ agent: undefined })} />}
          <BoardTabs board={board.data} show={state.show} onShow={(show) => change({ show })} onOpen={(name) => change({ agent: name })} />
          <Notes notes={board.data.notes} />
        </div>
      )}
    </div>
  )
}

function About({ board }: { board: Board }) {
  return (
    <>
      {countWords(board.agents.length, "agent")} tried on {countWords(board.item_count, "item")} of <Characters text={board.dataset_name ?? "a dataset"} />, scored by{" "}
      <Characters text={board.scorer_name ?? ""} />. Every interval is a 95 % interval.
    </>
  )
}

interface ScoresProps {
  board: Board
  zoom: boolean
  onZoom: () => void
  onOpen: (agent: string) => void
}

function Scores({ board, zoom, onZoom, onOpen }: ScoresProps) {
  const [box, width] = useWidth<HTMLDivElement>(960, 1080)
  return (
    <section className={styles.part} aria-labelledby="scores-head">
      <div className={styles.line}>
        <h2 id="scores-head">Scores and ranks</h2>
        <button type="button" aria-pressed={zoom} onClick={onZoom} title={withKey("Zoom the axis to the data", "plot.zoom")}>
          Zoom
        </button>
      </div>
      <div ref={box}>
        <RankedForest
          caption={serverWords(board.words?.scores ?? "")}
          width={width}
          zoom={zoom}
          groups={board.groups}
          rows={board.agents.map((agent) => ({
            id: agent.agent_id,
            rank: agent.rank,
            ranks: agent.rank_interval as [number, number] | null,
            group: agent.group,
            mean: agent.overall_score,
            interval: agent.confidence_interval as [number, number] | null,
            bracket: agent.missing_bracket as [number, number] | null,
            scored: agent.run_count,
            total: agent.run_count + agent.n_missing,
            reasons: agent.reasons ?? {},
            method: methodWords(agent.ci_method, { items: agent.item_count }),
            notes: notesOf(agent.flags),
            small: isSmall(agent.flags),
            onOpen: () => onOpen(agent.agent_id),
          }))}
        />
      </div>
    </section>
  )
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <section aria-labelledby="notes-head">
      <h2 id="notes-head">Good to know</h2>
      <ul className={styles.notes}>
        {notes.map((note) => (
          <li key={note}>
            <Characters text={serverWords(note)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function NothingToRank({ project }: { project: string }) {
  const command = [
    `export GNOMON_URL=${SERVER} GNOMON_API_KEY=YOUR_KEY`,
    "gnomon bench examples --out examples",
    "gnomon bench run --scenario examples/calendar \\",
    "  --agent reference:oracle --agent reference:wrong-order --out runs",
    `gnomon bench push runs --project ${project}`,
  ].join("\n")
  return (
    <>
      <Head title="Leaderboard" />
      <NothingYet title="Nothing to rank yet" command={command}>
        A leaderboard ranks the agents whose experiments run over one dataset: of evaluations, of results that <code>gnomon import</code> read, or of
        a benchmark. These commands push one with agents that need no model.
      </NothingYet>
    </>
  )
}

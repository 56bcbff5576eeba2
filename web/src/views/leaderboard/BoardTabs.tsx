import type { Leaderboard } from "../../api/leaderboard"
import { Tabs } from "../../parts/Tabs"
import { Curves } from "../../plots/Curves"
import { CostScatter } from "../../plots/CostScatter"
import { useWidth } from "../../plots/useWidth"
import type { Ends } from "../../words/format"
import { serverWords } from "../../words/format"
import { curvesSentence } from "../../words/announce"
import { isSmall } from "../../words/methods"
import { Actions } from "./Actions"
import { curvesOf } from "./boards"
import styles from "./Leaderboard.module.css"
import { Metrics } from "./Metrics"
import { Pairs } from "./Pairs"

export type Show = "passes" | "pairs" | "actions" | "cost" | "metrics"

interface Props {
  board: Leaderboard
  show: Show | undefined
  onShow: (show: Show) => void
  onOpen: (agent: string) => void
}

/** What stands behind the order: trials, pairs, actions, cost, and the metrics of a benchmark. */
export function BoardTabs({ board, show = telling(board), onShow, onOpen }: Props) {
  const tabs: { id: Show; label: string }[] = [
    { id: "passes", label: "Several trials" },
    { id: "pairs", label: "Pairs" },
    { id: "actions", label: "Actions" },
    { id: "cost", label: "Score against cost" },
    { id: "metrics", label: "Metrics" },
  ]
  return (
    <Tabs label="What stands behind the order" tabs={tabs} value={show} onChange={onShow}>
      {show === "passes" && <Passes board={board} />}
      {show === "pairs" && <Pairs board={board} />}
      {show === "actions" && <Actions board={board} onOpen={onOpen} />}
      {show === "cost" && <Cost board={board} onOpen={onOpen} />}
      {show === "metrics" && <Metrics board={board} />}
    </Tabs>
  )
}

/** The tab that is open at first: without several trials the pairs say more. */
function telling(board: Leaderboard): Show {
  return board.words?.passes || board.comparisons.length === 0 ? "passes" : "pairs"
}

/** A small plot per agent: bands of several agents on one plot could not be told apart. */
function Passes({ board }: { board: Leaderboard }) {
  const words = board.words?.passes
  if (!words) return <p>There is one trial per item, so pass@k and pass^k say no more than the score.</p>
  return (
    <div className={styles.part}>
      <p>{serverWords(words)}</p>
      <div className={styles.multiples}>
        {board.agents.map((agent) => {
          const curves = curvesOf(agent)
          return curves === null ? null : <Curves key={agent.agent_id} curves={curves} caption={`${agent.agent_id}: ${curvesSentence(curves)}`} width={310} height={170} />
        })}
      </div>
    </div>
  )
}

function Cost({ board, onOpen }: { board: Leaderboard; onOpen: (agent: string) => void }) {
  const [box, width] = useWidth<HTMLDivElement>(760, 860)
  const words = board.words?.cost
  if (!words) return <p>No cost is known: the runs have no trace with a model call that has a price.</p>
  const points = board.agents.flatMap((agent) =>
    agent.cost?.per_run === null || agent.cost?.per_run === undefined || agent.overall_score === null
      ? []
      : [{
          id: agent.agent_id, score: agent.overall_score, scoreEnds: agent.confidence_interval as Ends | null,
          small: isSmall(agent.flags), cost: agent.cost.per_run, costEnds: agent.cost.per_run_ci_95 as Ends | null, onOpen: () => onOpen(agent.agent_id),
        }],
  )
  if (points.every((point) => point.cost === 0)) return <p>{words}</p>
  return (
    <div ref={box}>
      <CostScatter points={points} front={board.cost_front ?? []} caption={serverWords(words)} width={width} />
    </div>
  )
}

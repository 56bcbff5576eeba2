import type { Leaderboard } from "../../api/leaderboard"
import { Cells } from "../../plots/Cells"
import type { Ends } from "../../words/format"
import { countText, countWords, serverWords, shareIntervalText, shareText } from "../../words/format"
import { actionNames, couldAct } from "./boards"
import styles from "./Leaderboard.module.css"

const MOST = 16

/** In how many of its runs each agent did what: the more, the darker. */
export function Actions({ board, onOpen }: { board: Leaderboard; onOpen: (agent: string) => void }) {
  const names = actionNames(board.agents)
  if (names.length === 0) {
    return (
      <p>
        What the agents did is not known: only runs that <code>gnomon bench push</code> sent say which actions they took.
      </p>
    )
  }
  const agents = board.agents.filter((agent) => Object.keys(agent.metrics ?? {}).length > 0)
  const shown = names.slice(0, MOST)
  const cells = agents.flatMap((agent, row) =>
    shown.flatMap((action, column) => {
      const share = agent.actions?.[action]
      if (!share && !couldAct(agents, agent, action)) return []
      return {
        row, column, share: share?.mean ?? 0, text: share ? String(Math.round(share.mean * 100)) : "0",
        tone: share ? undefined : ("mute" as const), title: `${agent.agent_id}, ${action}`, onOpen: () => onOpen(agent.agent_id), linkText: "open the agent",
        details: share
          ? ([
              ["share of runs", shareText(share.mean, share.run_count)],
              ["95 % interval", shareIntervalText(share.confidence_interval_95 as Ends | null, share.run_count)],
              ["runs", `${countText(share.count)} of ${countText(share.run_count)}`],
            ] as const)
          : ([["share of runs", "in no run"]] as const),
      }
    }),
  )
  return (
    <div className={styles.part}>
      <Cells
        rows={agents.map((agent) => agent.agent_id)}
        columns={shown}
        cells={cells.map(({ tone, ...cell }) => (tone === undefined ? cell : { ...cell, tone }))}
        caption={serverWords(board.words?.actions ?? "")}
        name={countWords(cells.length, "share")}
        table={{
          head: ["agent", "action", "share of runs", "95 % interval", "runs"],
          rows: agents.flatMap((agent) =>
            Object.entries(agent.actions ?? {}).map(([action, share]) => [
              agent.agent_id, action, shareText(share.mean, share.run_count), shareIntervalText(share.confidence_interval_95 as Ends, share.run_count),
              `${countText(share.count)} of ${countText(share.run_count)}`,
            ]),
          ),
        }}
      />
      {names.length > MOST && <p className="mute">{countWords(names.length - MOST, "rarer action")} {names.length - MOST === 1 ? "is" : "are"} in the table only.</p>}
    </div>
  )
}

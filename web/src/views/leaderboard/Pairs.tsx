import type { Leaderboard, LeaderboardPair } from "../../api/leaderboard"
import type { CellMark } from "../../plots/Cells"
import { Cells } from "../../plots/Cells"
import type { Ends } from "../../words/format"
import { countText, countWords, deltaIntervalText, deltaText, pText, serverWords } from "../../words/format"
import type { Verdict } from "../../words/verdicts"
import { verdictWords } from "../../words/verdicts"
import styles from "./Leaderboard.module.css"

const MOST = 40
const MIRRORED: Partial<Record<Verdict, Verdict>> = { improved: "regressed", regressed: "improved" }

/** Every pair of agents from both sides: better ▲, worse ▼, as good ◆, cannot tell ?. */
export function Pairs({ board }: { board: Leaderboard }) {
  const names = board.agents.filter((agent) => agent.rank !== null).map((agent) => agent.agent_id).slice(0, MOST)
  if (board.comparisons.length === 0) return <p>There is one agent with a score, so there is nothing to compare it with.</p>
  const place = new Map(names.map((name, at) => [name, at]))
  const cells = board.comparisons.flatMap((pair): CellMark[] => {
    const [row, column] = [place.get(pair.a), place.get(pair.b)]
    if (row === undefined || column === undefined) return []
    return [cellOf(pair, row, column, false), cellOf(pair, column, row, true)]
  })
  return (
    <div className={styles.part}>
      <p className="mute">▲ the agent of the row is better than that of the column, ▼ worse, ◆ as good, ? cannot tell.</p>
      <Cells
        rows={names}
        columns={names}
        cells={cells.sort((a, b) => a.row - b.row || a.column - b.column)}
        caption={serverWords(board.words?.pairs ?? "")}
        name={countWords(cells.length, "pair")}
        size={names.length > 20 ? 22 : 34}
        table={{ head: ["agent", "other", "verdict", "difference", "95 % interval", "adjusted p", "in common"], rows: board.comparisons.map(rowOf) }}
      />
    </div>
  )
}

function cellOf(pair: LeaderboardPair, row: number, column: number, mirrored: boolean): CellMark {
  const verdict = mirrored ? (MIRRORED[pair.verdict] ?? pair.verdict) : pair.verdict
  const { shape, word, tone } = verdictWords(verdict)
  const [first, second] = mirrored ? [pair.b, pair.a] : [pair.a, pair.b]
  const ends = pair.delta_ci_95 as Ends | null
  const turned: Ends | null = ends && mirrored ? [-ends[1], -ends[0]] : ends
  const delta = pair.delta === null ? null : mirrored ? -pair.delta : pair.delta
  return {
    row, column, text: shape, tone, title: `${first} against ${second}: ${word}`,
    details: [
      ["difference", deltaText(delta)], ["95 % interval", deltaIntervalText(turned)], ["adjusted p", pText(pair.p_value_adjusted)],
      ["items in common", countText(pair.common_items)], ...(pair.reason ? [["reason", pair.reason] as const] : []),
    ],
  }
}

function rowOf(pair: LeaderboardPair): string[] {
  const { shape, word } = verdictWords(pair.verdict)
  return [
    pair.a, pair.b, `${shape} ${word}`, deltaText(pair.delta), deltaIntervalText(pair.delta_ci_95 as Ends | null), pText(pair.p_value_adjusted),
    countText(pair.common_items),
  ]
}

import { countWords, type Ends, intervalText, scoreText, shareText } from "../words/format"
import { bandWords, iterationName, valueSentence, valuesSentence } from "../words/iterations"
import { SideAxis } from "./Axis"
import { Figure } from "./figure"
import { IntervalMark } from "./IntervalMark"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { linear } from "./scale"
import { linePath, px } from "./shapes"
import { textWidth } from "./text"
import { alikeStretches, bandPath, brackets, evidenceChanges, type ValuePoint } from "./values"
import own from "./ValuesOverTime.module.css"

export interface SessionMean {
  session_id: string
  value: number | null
  confidence_interval_95: Ends | null
  ci_reason: string | null
  n_scored: number
  n_provisional: number
  iterations: readonly number[]
}

interface Opening {
  href: string
  onOpen: () => void
}

export interface ValuesOverTimeProps {
  /** Ascending. */
  points: readonly ValuePoint[]
  sessions: readonly SessionMean[]
  width?: number
  openPoint: (point: ValuePoint) => Opening
  openSession: (session: string) => Opening
}

const LEFT = 64
const RIGHT = 12
const TOP = 16
const FOOT = 206
const LANE = 224
const MEANS_TOP = 262
const MEANS_FOOT = 326
const WIDEST_STEP = 44
/** How wide a day is written, and how high what stands below the last axis is. */
const DAY = 70
const FEET = 36

/** A shape per iteration, filled up to its coverage; below it every session as a bracket with its mean. */
export function ValuesOverTime({ points, sessions, width = 900, openPoint, openSession }: ValuesOverTimeProps) {
  const step = Math.min(WIDEST_STEP, (width - LEFT - RIGHT) / Math.max(1, points.length))
  const x = (place: number) => LEFT + (place + 0.5) * step
  const radius = Math.max(2, Math.min(6, step * 0.42))
  const right = LEFT + points.length * step
  const y = linear([0, 1], [FOOT, TOP], 4)
  const means = linear([0, 1], [MEANS_FOOT, MEANS_TOP], 1)
  const changes = evidenceChanges(points)
  const runs = brackets(points).map((run) => ({ ...run, mean: sessions.find((session) => session.session_id === run.session) }))
  const isInSessions = runs.length > 0
  const foot = isInSessions ? MEANS_FOOT : LANE
  const up = (point: ValuePoint) => (point.value === null ? LANE : y.inside(point.value))
  const marks: Mark[] = [
    ...points.map((point, index) => pointMark(point, { x: x(index), y: up(point) }, Math.max(radius * 2.4, 10), openPoint(point))),
    ...runs.map((run): Mark => ({
      id: `session ${run.from}`, title: run.session, details: sessionDetails(run.mean), linkText: "its iterations",
      ...openSession(run.session), x: (x(run.from) + x(run.to)) / 2, y: (MEANS_TOP + MEANS_FOOT) / 2 - 8,
      width: (run.to - run.from + 1) * step - 2, height: MEANS_FOOT - MEANS_TOP + 20,
    })),
    ...changes.map(({ place, words }): Mark => ({
      id: `change ${place}`, title: "The evidence changes here, so values on the two sides are not alike", details: [["from here on", words]],
      x: LEFT + place * step, y: TOP - 8, width: 14, height: 14,
    })),
  ]
  return (
    <Figure
      caption={valuesSentence(points, sessions)} width={width} height={points.length > 0 ? foot + FEET : 60} marks={marks}
      marksName={`${countWords(points.length, "iteration")}, then sessions, then changes of evidence`} table={valuesTable(points)}
    >
      <SideAxis scale={y} at={LEFT} gridTo={right} />
      <text className={`${css.tick} ${css.end}`} x={LEFT - 5} y={LANE + 4}>no score</text>
      {isInSessions && <text className={`${css.tick} ${css.end}`} x={LEFT - 5} y={MEANS_TOP - 14}>session</text>}
      {isInSessions && <SideAxis scale={means} at={LEFT} gridTo={right} endsOnly />}
      {changes.map(({ place }) => (
        <g key={place} className={own.change}>
          <path className={own.changeLine} d={`M${px(LEFT + place * step)} ${TOP - 2}V${LANE + 8}`} />
          <path className={own.changeHead} d={`M${px(LEFT + place * step - 4)} ${TOP - 12}h8l-4 7Z`} />
        </g>
      ))}
      {alikeStretches(points).map((stretch) => (
        <path key={stretch[0]} className={css.trace} d={linePath(stretch.map((place) => [x(place), up(points[place] as ValuePoint)]))} />
      ))}
      {points.map((point, index) => <Shape key={point.id} point={point} x={x(index)} y={up(point)} radius={radius} />)}
      {runs.map((run) => (
        <g key={run.from}>
          <path className={css.axis} d={`M${px(x(run.from) - step * 0.4)} ${MEANS_TOP - 12}v-5H${px(x(run.to) + step * 0.4)}v5`} />
          {run.mean && run.mean.value !== null && (
            <IntervalMark
              scale={means} across={px((x(run.from) + x(run.to)) / 2)} vertical cap={3} radius={2.5} small={run.mean.n_scored - run.mean.n_provisional < 2}
              estimate={{ mean: run.mean.value, interval: run.mean.confidence_interval_95 }}
            />
          )}
        </g>
      ))}
      <Feet points={points} x={x} step={step} foot={foot} right={Math.max(right, width)} />
    </Figure>
  )
}

function Shape({ point, x, y, radius }: { point: ValuePoint; x: number; y: number; radius: number }) {
  const { kind, tone } = bandWords(point.value === null ? "unscored" : point.band)
  const color = { good: own.good, bad: own.bad, unsure: own.unsure, mute: own.mute }[tone]
  return (
    <g className={color}>
      <path className={point.provisional ? own.provisional : own.outline} d={bandPath(kind, x, y, radius)} />
      {point.value !== null && <path className={point.provisional ? own.fillApart : own.fill} d={bandPath(kind, x, y, radius, point.coverage)} />}
    </g>
  )
}

interface FeetProps {
  points: readonly ValuePoint[]
  x: (place: number) => number
  step: number
  foot: number
  /** Where the picture ends; a day that would reach beyond it is not written. */
  right: number
}

/** Numbers below, and the day under the first iteration of it, where there is room. */
function Feet({ points, x, step, foot, right }: FeetProps) {
  const every = Math.max(1, Math.ceil((textWidth(iterationName(points.at(-1)?.iteration ?? 0), 11) + 8) / step))
  const dayEvery = Math.ceil(78 / step)
  let lastDay = -dayEvery
  return (
    <g>
      {points.map((point, index) => {
        const isNewDay = point.date !== null && point.date !== points[index - 1]?.date && index - lastDay >= dayEvery && x(index) + DAY <= right
        if (isNewDay) lastDay = index
        return (
          <g key={point.id}>
            {index % every === 0 && (
              <text className={`${css.tick} ${css.middle}`} x={px(x(index))} y={foot + 16}>
                {iterationName(point.iteration)}
                <title>{`Iteration ${point.iteration}`}</title>
              </text>
            )}
            {isNewDay && <text className={css.tick} x={px(x(index) - step / 2)} y={foot + 31}>{point.date?.slice(0, 10)}</text>}
          </g>
        )
      })}
    </g>
  )
}

function pointMark(point: ValuePoint, at: { x: number; y: number }, size: number, opening: Opening): Mark {
  const details: [string, string][] = [["value", valueSentence(point)]]
  if (iterationName(point.iteration) !== String(point.iteration)) details.push(["number", String(point.iteration)])
  if (point.date) details.push(["date", point.date])
  if (point.session_id) details.push(["session", point.session_id])
  if (point.commit) details.push(["commit", point.commit.slice(0, 12)])
  return { id: point.id, title: `Iteration ${iterationName(point.iteration)}`, details, linkText: "why this value", ...opening, ...at, width: size, height: size }
}

function sessionDetails(session: SessionMean | undefined): [string, string][] {
  if (!session) return []
  const verdicts = session.n_scored - session.n_provisional
  const details: [string, string][] = [
    ["mean", session.value === null ? `none: ${session.ci_reason ?? "no verdict"}` : scoreText(session.value)],
    ["95 % interval", session.confidence_interval_95 ? intervalText(session.confidence_interval_95) : (session.ci_reason ?? "none")],
    ["over", `${countWords(verdicts, "verdict")} of ${countWords(session.iterations.length, "iteration")}`],
  ]
  return session.n_provisional > 0 ? [...details, ["left out", `${session.n_provisional} provisional`]] : details
}

function valuesTable(points: readonly ValuePoint[]) {
  return {
    head: ["iteration", "date", "session", "value", "band", "evidence", "facts"],
    rows: points.map((point) => [
      iterationName(point.iteration), point.date ?? "–", point.session_id ?? "–", point.value === null ? "not scored" : scoreText(point.value),
      point.provisional ? `${point.band}, provisional` : point.band, shareText(point.coverage), point.observed.join(", ") || "–",
    ]),
  }
}

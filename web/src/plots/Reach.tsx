import { countText, countWords, scoreText } from "../words/format"
import { Axis, SideAxis } from "./Axis"
import { wholeScale } from "./Curves"
import { Figure } from "./figure"
import type { Mark } from "./Marks"
import css from "./marks.module.css"
import { linear } from "./scale"
import { linePath, px } from "./shapes"

export interface ReachProps {
  /** Labels that there are. */
  labelled: number
  /** How far the interval reaches to each side now. */
  reach: number
  /** How far it may reach. */
  wanted: number
  /** Labels until it does; null when all together would not do. */
  more: number | null
  /** Targets without a label. */
  open: number
  /** The server's rule of when to stop, in words. */
  words: string
  width?: number
}

const HEIGHT = 200
const STEPS = 40

/** How the interval narrows with more labels: as 1/√n from what is known now. */
export function Reach({ labelled, reach, wanted, more, open, words, width = 560 }: ReachProps) {
  const target = more === null ? labelled + open : labelled + more
  const last = Math.max(target * 1.25, labelled + 10)
  const end = Math.min(last, labelled + open) > labelled ? Math.min(last, labelled + open) : last
  const plot = { left: 52, right: width - 16, top: 12, bottom: HEIGHT - 44 }
  const x = wholeScale([0, end], [plot.left, plot.right])
  const first = Math.max(1, Math.min(labelled, target))
  const highest = Math.max(reach, wanted) * 1.15
  const y = linear([0, highest], [plot.bottom, plot.top], 4)
  const at = (n: number) => reach * Math.sqrt(Math.max(labelled, 1) / n)
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => first + ((end - first) * step) / STEPS)
  const crossing = more !== null && more > 0 ? labelled + more : null
  const marks: Mark[] = [mark("now", `now: ${countWords(labelled, "label")}`, reach, x.at(labelled), y.inside(reach))]
  if (crossing !== null) {
    marks.push(mark("then", `${countWords(crossing, "label")}: as sure as wanted`, wanted, x.at(crossing), y.inside(wanted)))
  }
  return (
    <Figure
      caption={words} width={width} height={HEIGHT} marks={marks}
      table={{
        head: ["labels", "reach to each side"],
        rows: [[countText(labelled), `±${scoreText(reach)}`], ...(crossing === null ? [] : [[countText(crossing), `±${scoreText(wanted)}`]])],
      }}
    >
      <SideAxis scale={y} at={plot.left} gridTo={plot.right} />
      <Axis scale={x} at={plot.bottom} words="labels by people" />
      <text className={css.tick} x={4} y={plot.top - 2}>± reach</text>
      <path className={css.threshold} d={`M${plot.left} ${px(y.inside(wanted))}H${plot.right}`} />
      <text className={`${css.tick} ${css.end}`} x={plot.right} y={px(y.inside(wanted) - 4)}>wanted ±{scoreText(wanted)}</text>
      <g className={css.first}>
        <path className={css.curve} d={linePath(steps.map((n) => [x.at(n), y.inside(at(n))]))} />
        <circle className={css.dot} cx={px(x.at(labelled))} cy={px(y.inside(reach))} r={4} />
        {crossing !== null && <circle className={css.hollow} cx={px(x.at(crossing))} cy={px(y.inside(wanted))} r={4} />}
      </g>
    </Figure>
  )
}

function mark(id: string, title: string, reach: number, x: number, y: number): Mark {
  return { id, title, details: [["reach to each side", `±${scoreText(reach)}`]], x, y, width: 16, height: 16 }
}

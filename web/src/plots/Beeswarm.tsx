import css from "./marks.module.css"
import type { Placed } from "./swarm"

export interface BeeswarmProps {
  /** Where each score lies; see `swarm`. */
  dots: readonly Placed[]
}

/** One dot per run, to stand inside an SVG. */
export function Beeswarm({ dots }: BeeswarmProps) {
  return dots.map(({ id, x, y }) => <circle key={id} className={css.raw} cx={x} cy={y} r={1.7} />)
}

import { type KeyboardEvent, useState } from "react"
import { itemsSentence } from "../words/announce"
import { countText, countWords, deltaText, scoreText } from "../words/format"
import { changeWords } from "../words/verdicts"
import { Axis, SideAxis } from "./Axis"
import { Brush } from "./Brush"
import { Figure } from "./figure"
import { type Mark, nextPlace } from "./Marks"
import css from "./marks.module.css"
import { type ItemPair, itemsIn, type Pile, pileRadius, pileSide, piles, type Region, spanned } from "./points"
import { axisWords, linear, type Scale, scoreDomain } from "./scale"
import { glyph, px } from "./shapes"

export interface ScatterProps {
  items: readonly ItemPair[]
  /** Names of the two experiments, on the axes. */
  baseName?: string
  candidateName?: string
  caption?: string
  /** Side of the square. */
  size?: number
  zoom?: boolean
  /** A region was brushed by pointer or by Shift and arrows: its values and the items in it; null when cleared. */
  onBrush?: (region: Region | null, ids: readonly string[]) => void
  /** Enter or a click on a mark: the items on it. */
  onOpen?: (ids: readonly string[]) => void
}

const LEFT = 40
const TOP = 10

/** Each item's two scores: above the diagonal it improved ▲, below it regressed ▼, on it nothing changed ◆. */
export function Scatter({
  items, baseName = "base", candidateName = "candidate", caption, size = 360, zoom = false, onBrush, onOpen,
}: ScatterProps) {
  const [region, setRegion] = useState<Region | null>(null)
  const [anchor, setAnchor] = useState<number | null>(null)
  const found = piles(items)
  const domain = scoreDomain(found.flatMap((pile) => [pile.base, pile.candidate]), zoom)
  const inner = size - LEFT - 16
  const x = linear(domain, [LEFT + 14, LEFT + inner - 2])
  const y = linear(domain, [TOP + inner - 14, TOP + 2])
  const foot = TOP + inner
  const brush = (next: Region | null) => {
    setRegion(next)
    onBrush?.(next, next ? itemsIn(next, items) : [])
  }
  const onMarkKey = (event: KeyboardEvent, place: number) => {
    if (event.key === "Escape" && region) {
      event.preventDefault()
      event.stopPropagation()
      setAnchor(null)
      brush(null)
      return true
    }
    const next = nextPlace(event.key, place, found.length)
    if (next === null || !onBrush) return false
    const from = event.shiftKey ? (anchor ?? place) : null
    setAnchor(from)
    const [start, end] = [from === null ? undefined : found[from], found[next]]
    if (start && end) brush(spanned(start, end))
    return false
  }
  const words = [`${baseName} →`, axisWords(domain)].filter(Boolean).join("; ")
  return (
    <Figure
      caption={
        caption ?? itemsSentence(
          items.map((item) => ({ label: item.label ?? item.id, delta: item.candidate - item.base }))
        )
      }
      width={size} height={foot + 34 + (onBrush ? 14 : 0)} marks={scatterMarks(found, x, y, onOpen)}
      onMarkKey={onMarkKey} marksName={`${countWords(found.length, "place")} with items`} table={scatterTable(items)}
      overlay={onBrush && <Brush x={x} y={y} region={region} onRegion={brush} />}
    >
      <SideAxis scale={y} at={LEFT} gridTo={LEFT + inner} />
      <Axis scale={x} at={foot} gridFrom={TOP} words={words} />
      <text
        className={`${css.tick} ${css.middle}`} transform={`translate(9 ${px((TOP + foot) / 2)}) rotate(-90)`}
      >
        {candidateName} →
      </text>
      <path
        className={css.zero}
        d={`M${px(x.at(domain[0]))} ${px(y.at(domain[0]))}L${px(x.at(domain[1]))} ${px(y.at(domain[1]))}`}
      />
      {found.map((pile) => {
        const side = pileSide(pile)
        const tone = side === "up" ? css.good : side === "down" ? css.bad : css.same
        return (
          <path
            key={pile.key} className={`${tone} ${css.pile}`}
            d={glyph(side, x.at(pile.base), y.at(pile.candidate), pileRadius(pile.items.length))}
          />
        )
      })}
      {onBrush && (
        <text className={css.tick} x={0} y={foot + 44}>drag, or Shift and arrows, to filter; Esc clears</text>
      )}
    </Figure>
  )
}

function scatterMarks(found: readonly Pile[], x: Scale, y: Scale, onOpen: ScatterProps["onOpen"]): Mark[] {
  return found.map((pile) => {
    const delta = pile.candidate - pile.base
    const [first] = pile.items
    const single = pile.items.length === 1
    const around = 2 * pileRadius(pile.items.length) + 4
    return {
      id: pile.key, title: single && first ? (first.label ?? first.id) : `${countText(pile.items.length)} items`,
      details: [
        ["base", scoreText(pile.base)], ["candidate", scoreText(pile.candidate)], ["change", changeWords(delta).text],
      ],
      x: x.at(pile.base), y: y.at(pile.candidate), width: around, height: around,
      ...(
        onOpen && {
          onOpen: () => onOpen(pile.items.map((item) => item.id)),
          linkText: single ? "open the item" : "show these items",
        }
      ),
    }
  })
}

function scatterTable(items: readonly ItemPair[]) {
  const sorted = [...items].sort((a, b) => a.candidate - a.base - (b.candidate - b.base))
  return {
    head: ["item", "base", "candidate", "change"],
    rows: sorted.map(
      (item) => [
        item.label ?? item.id, scoreText(item.base), scoreText(item.candidate), deltaText(item.candidate - item.base),
      ]
    ),
  }
}

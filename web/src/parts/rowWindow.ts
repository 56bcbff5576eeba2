// Which rows of a long list are drawn. All rows have one height; at most one has something open below it.

export interface Open {
  /** Index of the row. */
  at: number
  /** Height of what is open below it. */
  height: number
}

export function topOf(index: number, rowHeight: number, open: Open | null): number {
  return index * rowHeight + (open && index > open.at ? open.height : 0)
}

export function totalHeight(count: number, rowHeight: number, open: Open | null): number {
  return count * rowHeight + (open && open.at < count ? open.height : 0)
}

/** The row at a height, as if rows went on for ever. */
export function rowAt(y: number, rowHeight: number, open: Open | null): number {
  const plain = Math.floor(y / rowHeight)
  if (!open || plain <= open.at) return plain
  return Math.max(open.at, Math.floor((y - open.height) / rowHeight))
}

/** First and last (exclusive) index to draw, some beyond the edges so that scrolling shows no gap. */
export function rowWindow(
  scrollTop: number,
  viewHeight: number,
  count: number,
  rowHeight: number,
  open: Open | null = null,
  beyond = 8,
): [first: number, end: number] {
  const first = rowAt(Math.max(0, scrollTop), rowHeight, open) - beyond
  const end = rowAt(scrollTop + viewHeight, rowHeight, open) + 1 + beyond
  // Steps of four: most scroll events change nothing.
  const even = Math.max(0, first - (((first % 4) + 4) % 4))
  return [Math.min(even, count), Math.min(count, Math.max(0, end + ((4 - (((end % 4) + 4) % 4)) % 4)))]
}

/** Where to scroll so that a row is in sight; undefined when it is already. */
export function scrollFor(
  index: number,
  scrollTop: number,
  viewHeight: number,
  rowHeight: number,
  open: Open | null = null,
): number | undefined {
  const top = topOf(index, rowHeight, open)
  if (top < scrollTop) return top
  if (top + rowHeight > scrollTop + viewHeight) return top + rowHeight - viewHeight
  return undefined
}

import { createElement, Fragment, memo, useMemo } from "react"
import type { Block } from "./markdownBlocks"
import { blocksOf } from "./markdownBlocks"
import type { Inline } from "./markdownInline"
import { inlineOf } from "./markdownInline"
import styles from "./Markdown.module.css"
import { Characters, Text } from "./Text"

const LONGEST = 100_000

interface Props {
  text: string
  /** Level of the page's heading above this text; the text's own begin one below. */
  below?: number
}

/** A model's Markdown as elements: no HTML, no images, every link with its address in sight, each block in its language's direction. */
export const Markdown = memo(function Markdown({ text, below = 2 }: Props) {
  const blocks = useMemo(() => (text.length <= LONGEST ? blocksOf(text) : null), [text])
  if (!blocks) return <Text text={text} />
  return (
    <div className={styles.markdown}>
      <Blocks blocks={blocks} below={below} />
    </div>
  )
})

function Blocks({ blocks, below }: { blocks: Block[]; below: number }) {
  return blocks.map((block, index) => <OneBlock key={index} block={block} below={below} />)
}

function OneBlock({ block, below }: { block: Block; below: number }) {
  switch (block.kind) {
    case "heading":
      return createElement(`h${Math.min(6, below + block.level)}`, { dir: "auto" }, <Line text={block.text} />)
    case "paragraph":
      return (
        <p dir="auto">
          <Line text={block.text} />
        </p>
      )
    case "code":
      return (
        <pre tabIndex={0} aria-label={block.language === "" ? "Code" : `Code, ${block.language}`}>
          <code>
            <Characters text={block.text} />
          </code>
        </pre>
      )
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} below={below} />
        </blockquote>
      )
    case "list": {
      const items = block.items.map((item, index) => (
        <li key={index}>
          <Item blocks={item} below={below} />
        </li>
      ))
      return block.ordered ? (
        <ol dir="auto" start={block.start}>
          {items}
        </ol>
      ) : (
        <ul dir="auto">{items}</ul>
      )
    }
    case "table":
      return <TableOf block={block} />
    case "rule":
      return <hr />
  }
}

/** An item of one paragraph needs none around it. */
function Item({ blocks, below }: { blocks: Block[]; below: number }) {
  const [first, ...rest] = blocks
  if (first?.kind !== "paragraph") return <Blocks blocks={blocks} below={below} />
  return (
    <>
      <Line text={first.text} />
      <Blocks blocks={rest} below={below} />
    </>
  )
}

function TableOf({ block }: { block: Extract<Block, { kind: "table" }> }) {
  return (
    <div className={styles.scroll} role="group" aria-label="Table" tabIndex={0}>
      <table dir="auto">
        <thead>
          <tr>
            {block.head.map((cell, index) => (
              <th key={index} scope="col">
                <Line text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>
                  <Line text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line({ text }: { text: string }) {
  return <Inlines inlines={inlineOf(text)} />
}

function Inlines({ inlines }: { inlines: Inline[] }) {
  return inlines.map((inline, index) => <Fragment key={index}>{elementOf(inline)}</Fragment>)
}

function elementOf(inline: Inline) {
  switch (inline.kind) {
    case "text":
      return <Characters text={inline.text} />
    case "code":
      return (
        <code>
          <Characters text={inline.text} />
        </code>
      )
    case "strong":
      return (
        <strong>
          <Inlines inlines={inline.children} />
        </strong>
      )
    case "emphasis":
      return (
        <em>
          <Inlines inlines={inline.children} />
        </em>
      )
    case "struck":
      return (
        <s>
          <Inlines inlines={inline.children} />
        </s>
      )
    case "link":
      return <LinkOf inline={inline} />
    case "image":
      return (
        <span className={styles.address}>
          [image not fetched: <Characters text={inline.label} /> <Characters text={inline.address} />]
        </span>
      )
  }
}

/** The label is text; only the address, which says where it leads, is a link. */
function LinkOf({ inline }: { inline: Extract<Inline, { kind: "link" }> }) {
  const address = <Characters text={inline.address} />
  const link =
    inline.href === null ? (
      address
    ) : (
      <a href={inline.href} target="_blank" rel="noopener noreferrer nofollow">
        {address}
      </a>
    )
  if (inline.label.length === 0) return <span className={styles.address}>{link}</span>
  return (
    <>
      <Inlines inlines={inline.label} /> <span className={styles.address}>({link})</span>
    </>
  )
}

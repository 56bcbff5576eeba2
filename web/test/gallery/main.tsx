// All parts on one page, for looking at and for trying by hand: `vite`, then /test/gallery/. Not in the build.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useMemo, useState } from "react"
import { createRoot } from "react-dom/client"
import { problemOf } from "../../src/api/problem"
import { Copy } from "../../src/parts/Copy"
import { Dialog } from "../../src/parts/Dialog"
import { Diff } from "../../src/parts/Diff"
import { NothingMatches, NothingYet } from "../../src/parts/Empty"
import { Evidence } from "../../src/parts/Evidence"
import { Filters, SelectFilter, TextFilter, TimeFilter, ToggleFilter } from "../../src/parts/Filters"
import { Json } from "../../src/parts/Json"
import { Loading } from "../../src/parts/Loading"
import { Markdown } from "../../src/parts/Markdown"
import { Menu } from "../../src/parts/Menu"
import { ProblemBox } from "../../src/parts/Problem"
import { Table } from "../../src/parts/Table"
import { Tabs } from "../../src/parts/Tabs"
import { Text } from "../../src/parts/Text"
import { Time } from "../../src/parts/Time"
import { Tree } from "../../src/parts/Tree"
import { WriteButton } from "../../src/parts/WriteButton"
import "../../src/tokens.css"
import "../../src/base.css"
import styles from "./gallery.module.css"

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section id={name} className={styles.part} aria-label={name}>
      <h2>{name}</h2>
      {children}
    </section>
  )
}

interface Row {
  id: string
  name: string
  tokens: number
}

function TablePart() {
  const rows = useMemo(() => Array.from({ length: 100_000 }, (_, at) => ({ id: `${at}`, name: `trace ${at}`, tokens: (at * 37) % 5000 })), [])
  const [sort, setSort] = useState("-tokens")
  const [ticked, setTicked] = useState(new Set<string>())
  const [open, setOpen] = useState<string>()
  return (
    <Table<Row>
      label="Traces"
      rows={rows}
      rowKey={(row) => row.id}
      sort={sort}
      onSort={setSort}
      ticked={ticked}
      onTick={(row) => setTicked(new Set(ticked.has(row.id) ? [...ticked].filter((id) => id !== row.id) : [...ticked, row.id]))}
      openKey={open}
      onOpen={(row) => setOpen(open === row.id ? undefined : row.id)}
      detail={(row) => <Text text={`All about ${row.name}\n`.repeat(8)} />}
      columns={[
        { id: "name", head: "Name", width: 200, grow: 2, cell: (row) => <a href={`#${row.id}`}>{row.name}</a> },
        { id: "tokens", head: "Tokens", width: 100, align: "end", sort: "tokens", first: "descending", cell: (row) => row.tokens },
        { id: "age", head: "Age", width: 120, grow: 1, cell: () => <Time at="2026-11-15T06:42:00Z" /> },
      ]}
    />
  )
}

function TreePart() {
  const nodes = useMemo(
    () => Array.from({ length: 10_000 }, (_, at) => ({ id: `s${at}`, depth: at < 60 ? at : 1 + (at % 7), name: `span ${at}` })),
    [],
  )
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<string | undefined>("s3")
  return (
    <Tree label="Spans" nodes={nodes} closed={closed} onClosed={setClosed} chosen={chosen} onChoose={setChosen} render={(node) => node.name} />
  )
}

const MARKDOWN = `# Answer
The **red** lamp is *on*; see [the manual](https://example.org/manual) and [this](javascript:alert(1)).

1. one
   - nested
2. two

| a | b |
|---|---|
| 1 | 2 |

> quoted <b>not bold</b>

\`\`\`py
print("x")
\`\`\`
![a beacon](https://example.org/pixel.png)`

function Gallery() {
  const [dialog, setDialog] = useState(false)
  const [tab, setTab] = useState<"one" | "two">("one")
  const [q, setQ] = useState<string | undefined>("lamp")
  const [range, setRange] = useState<{ after: string | undefined; before: string | undefined }>({ after: "24h", before: undefined })
  const active = [
    { id: "q", label: `text “${q}”`, remove: () => setQ(undefined) },
    { id: "e", label: "errors only", remove: () => undefined },
  ]
  return (
    <main className={styles.gallery}>
      <h1>Parts of the page</h1>
      <Part name="Filters">
        <Filters label="Filter traces" active={active} onClear={() => setQ(undefined)}>
          <TextFilter label="Text" value={q} onChange={setQ} find />
          <TimeFilter {...range} onChange={setRange} />
          <SelectFilter label="Model" value={undefined} options={[{ value: "demo-a", label: "demo-a" }]} onChange={() => undefined} />
          <ToggleFilter label="Errors only" on onChange={() => undefined} />
        </Filters>
      </Part>
      <Part name="Table"><TablePart /></Part>
      <Part name="Tree"><TreePart /></Part>
      <Part name="Text">
        <Text text={"pay\u200dpal, a \u202ereversed\u202c word, a bell\u0007 and a long tail: " + "x".repeat(300)} />
        <Text text={"A long text. ".repeat(2000)} />
      </Part>
      <Part name="Json"><Json label="Input" value={{ messages: [{ role: "user", content: "Is the lamp on?" }], n: 3, ok: true, none: null, many: Array.from({ length: 500 }, (_, at) => at), empty: {} }} /></Part>
      <Part name="Markdown"><Markdown text={MARKDOWN} /></Part>
      <Part name="Diff">
        <Diff before="The red lamp is on the desk." after="The blue lamp was on the desk, lit." beforeLabel="expected" afterLabel="output" />
        <Diff as="side" before="The red lamp is on the desk." after="The blue lamp was on the desk, lit." beforeLabel="expected" afterLabel="output" />
      </Part>
      <Part name="Problem"><ProblemBox problem={problemOf(422, { error: { code: "INVALID", message: "limit 900 is above 200; ask for fewer", details: { errors: [{ field: "limit", message: "above 200" }] } } }, "req-12ab")} /></Part>
      <Part name="Empty">
        <NothingYet title="No traces yet" command="gnomon ingest traces.ndjson --url http://127.0.0.1:8321 --project support-demo">A trace is what one request did, step by step.</NothingYet>
        <NothingMatches what="traces" filters={active} onClear={() => undefined} />
      </Part>
      <Part name="Loading"><Loading what="the traces" onCancel={() => undefined} /></Part>
      <Part name="Small">
        <div className={styles.line}>
          <Copy text="abc" what="the id" />
          <Menu label="⋯" title="More" items={[{ id: "a", label: "Save to dataset", onSelect: () => undefined }, { id: "b", label: "Delete…", danger: true, onSelect: () => undefined }, { id: "c", label: "Annotate", refused: "This key may read only.", onSelect: () => undefined }]} />
          <button type="button" data-kind="main" onClick={() => setDialog(true)}>Open a dialog</button>
          <WriteButton onClick={() => undefined}>Write</WriteButton>
          <Evidence to="/" behind="188 runs">0.745</Evidence>
          <Time at={new Date(Date.now() - 7_200_000).toISOString()} />
        </div>
        <Tabs label="Scorers" tabs={[{ id: "one", label: "contains" }, { id: "two", label: "tone" }]} value={tab} onChange={setTab}>Panel {tab}</Tabs>
      </Part>
      {dialog && (
        <Dialog title="Delete trace “answer”?" onClose={() => setDialog(false)} actions={<button type="button" data-kind="danger">Delete</button>}>
          <p>Its 481 spans and 3 scores go with it.</p>
        </Dialog>
      )}
    </main>
  )
}

const router = createRouter({ routeTree: createRootRoute({ component: Gallery }), history: createMemoryHistory() })
const client = new QueryClient()
client.setQueryData(["session"], { role: "read", project_id: null })
createRoot(document.getElementById("root") as HTMLElement).render(
  <QueryClientProvider client={client}>
    <RouterProvider router={router as never} />
  </QueryClientProvider>,
)

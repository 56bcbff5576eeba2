import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useState } from "react"
import type { JudgeCard, OneJudge } from "../../api/judges"
import { cardQuery, configurationsQuery, toLabelQuery } from "../../api/judges"
import { asProblem } from "../../api/problem"
import { useProjectName } from "../../api/queries"
import { Copy } from "../../parts/Copy"
import { SelectFilter } from "../../parts/Filters"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import { Time } from "../../parts/Time"
import { WriteButton } from "../../parts/WriteButton"
import { judgeSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText, countWords, moneyText, shortId } from "../../words/format"
import { verdictSentence } from "../../words/judges"
import { CardFigures } from "./CardFigures"
import { Costs } from "./Costs"
import styles from "./Judges.module.css"
import { People } from "./People"
import { ProbePart } from "./ProbePart"
import { StartProbe } from "./StartProbe"

/** The report card of a judge: whether it can be believed, and what that is known from. */
export function Card() {
  const { project = "", judge = "" } = useParams({ strict: false })
  const [state, change] = useViewState(judgeSearch)
  const [starting, setStarting] = useState(false)
  useTitle(judge, useProjectName(project))
  const one: OneJudge = { project, judge, config: state.config, human: state.human }
  const card = useQuery(cardQuery(one))
  const next = useQuery(toLabelQuery(one, { limit: 1 }))
  const configurations = useQuery(configurationsQuery(project))
  if (card.error) return <ProblemBox problem={asProblem(card.error)} onRetry={() => void card.refetch()} />
  if (!card.data) return <Loading what="the report card" rows={12} />
  const own = (configurations.data?.items ?? []).filter((row) => row.scorer_name === judge)
  return (
    <div className={styles.page}>
      <Head
        title={<Characters text={judge} />}
        about={<About card={card.data} />}
        actions={
          <>
            <Link data-kind="button" to="/projects/$project/judges/$judge/label" params={{ project, judge }} search={{ config: state.config, human: state.human } as never}>
              What to label next
            </Link>
            <WriteButton kind="main" refused={card.data.probe ? undefined : notProbed(card.data)} onClick={() => setStarting(true)}>
              Start a probe…
            </WriteButton>
          </>
        }
      />
      {own.length > 1 && (
        <SelectFilter
          label="Configuration" any="the last used" value={state.config}
          options={own.map((row) => ({ value: row.config_hash, label: `${shortId(row.config_hash)} · ${row.model ?? "unknown"} · ${countWords(row.scores, "score")}` }))}
          onChange={(config) => change({ config, job: undefined })}
        />
      )}
      <p className={styles.verdict} role="status">
        <Characters text={verdictSentence(card.data)} />
      </p>
      <CardFigures card={card.data} />
      <People card={card.data} next={next.data} problem={next.error ? asProblem(next.error) : undefined} project={project} one={one} />
      <ProbePart card={card.data} project={project} job={state.job} />
      <Costs card={card.data} />
      {starting && <StartProbe one={{ ...one, config: card.data.config_hash ?? undefined }} onClose={() => setStarting(false)} onStarted={(job) => change({ job })} />}
    </div>
  )
}

/** Why a probe cannot be started, where that does not change with time. */
function notProbed(card: JudgeCard): string | undefined {
  if (card.config_hash === null) return card.probe_reason ?? "Its scores were sent, so there is no prompt to ask again."
  return card.probe_reason?.includes("is a dimension of") ? card.probe_reason : undefined
}

function About({ card }: { card: JudgeCard }) {
  const each = card.cost_usd.value
  return (
    <span className={styles.facts}>
      <span>{card.model ? <Characters text={card.model} /> : "model unknown"}</span>
      <span>
        {card.config_hash === null ? (
          "scores that were sent"
        ) : (
          <>
            configuration <code>{shortId(card.config_hash)}</code> <Copy text={card.config_hash} what="the configuration's hash" />
          </>
        )}
      </span>
      <span>
        used <Time at={card.first_used} short /> to <Time at={card.last_used} short />
      </span>
      <span>{countWords(card.scores, "score")}{card.read < card.scores && `, the newest ${countText(card.read)} read`}</span>
      <span>{each === null ? "cost unknown" : `${moneyText(each)} per score`}</span>
    </span>
  )
}

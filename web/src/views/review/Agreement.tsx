import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { asProblem } from "../../api/problem"
import { useProjectName } from "../../api/queries"
import type { Agreement as Agreed } from "../../api/review"
import { agreementQuery } from "../../api/review"
import { NothingYet } from "../../parts/Empty"
import { Head } from "../../parts/Head"
import { Loading } from "../../parts/Loading"
import { ProblemBox } from "../../parts/Problem"
import { Characters } from "../../parts/Text"
import type { ForestRow } from "../../plots/Forest"
import { Forest } from "../../plots/Forest"
import { useWidth } from "../../plots/useWidth"
import { agreementSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { countText, countWords, exactText, intervalWords, scoreText, shortId } from "../../words/format"
import styles from "./Agreement.module.css"
import { agreementSentence, pairWords, shareWords, TENTATIVE } from "./agreementWords"
import { labelText } from "./reviewWords"

/** Do reviewers agree, and where do they not? */
export function Agreement() {
  const { project = "" } = useParams({ strict: false })
  const name = useProjectName(project)
  useTitle("Agreement", name)
  const [{ scorer }] = useViewState(agreementSearch)
  const { data, error, refetch } = useQuery(agreementQuery(project, scorer))
  return (
    <div className={styles.page}>
      <Head
        title="Agreement of reviewers"
        about={<Characters text={name ?? project} />}
        actions={
          <Link to="/projects/$project/review" params={{ project }}>
            To the review queue
          </Link>
        }
      />
      {error ? (
        <ProblemBox problem={asProblem(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading what="the agreement" rows={8} />
      ) : data.reviewers.length === 0 ? (
        <NothingYet title="Nobody has reviewed a card yet">
          When two people have reviewed the same cards, you see here how well they agree. Ask for several reviewers per card in the{" "}
          <Link to="/projects/$project/settings" params={{ project }} search={{ tab: "review" }}>
            settings
          </Link>
          .
        </NothingYet>
      ) : (
        <Shown data={data} project={project} />
      )}
    </div>
  )
}

function Shown({ data, project }: { data: Agreed; project: string }) {
  const [box, width] = useWidth<HTMLElement>(760)
  return (
    <>
      <section className={styles.words} aria-label="In words">
        <p>{agreementSentence("labels", data.labels)}</p>
        <p>{agreementSentence(`the numbers of “${data.scorer_name}”`, data.numbers)}</p>
        <p className="mute">
          α (Krippendorff) is 1 when all say the same and 0 when they agree no more than by chance. From 0.8 on labels can be relied on, from 0.667 on
          for tentative conclusions.
        </p>
      </section>
      <section aria-label="By pair" ref={box}>
        <h2>By pair of reviewers</h2>
        <Forest rows={rowsOf(data)} noun="pair" threshold={TENTATIVE} width={width} caption="Agreement as α, of all reviewers and of each pair" />
      </section>
      <Reviewers data={data} />
      <Disagreements data={data} project={project} />
    </>
  )
}

function rowsOf(data: Agreed): ForestRow[] {
  const all = (id: string, name: string, { alpha, ci_95, n, reason }: Agreed["labels"]): ForestRow => ({
    id,
    name,
    mean: alpha,
    interval: ci_95,
    words: alpha === null ? (reason ?? "not known") : `α ${scoreText(alpha)}${ci_95 ? ` (${intervalWords(ci_95)})` : ""} · ${countWords(n, "card")}`,
    small: n < 15,
  })
  const pairs = data.pairs.map((pair) => ({
    id: pair.reviewers.join("\n"),
    name: pair.reviewers.join(" and "),
    mean: pair.alpha,
    interval: pair.ci_95 ?? null,
    words: pairWords(pair),
    small: pair.n < 15,
  }))
  return [all("labels", "All, labels", data.labels), all("numbers", "All, numbers", data.numbers), ...pairs]
}

function Reviewers({ data }: { data: Agreed }) {
  return (
    <section aria-label="Reviewers">
      <h2>What each reviewer says</h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Reviewer</th>
            <th scope="col">Cards</th>
            <th scope="col">Labels</th>
          </tr>
        </thead>
        <tbody>
          {data.reviewers.map(({ annotator, n, labels }) => (
            <tr key={annotator}>
              <th scope="row">
                <Characters text={annotator} />
              </th>
              <td>{countText(n)}</td>
              <td>
                {Object.entries(labels)
                  .toSorted(([, a], [, b]) => b - a)
                  .map(([label, share]) => (
                    <span key={label} className={styles.share}>
                      <Characters text={labelText(label)} /> {shareWords(share, n)}
                    </span>
                  ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Disagreements({ data, project }: { data: Agreed; project: string }) {
  return (
    <section aria-label="Disagreements">
      <h2>Where they disagree most</h2>
      {data.disagreements.length === 0 ? (
        <p className="mute">On no card that two people reviewed.</p>
      ) : (
        <ol className={styles.cards}>
          {data.disagreements.map(({ target_type: type, target_id: target, ratings }) => (
            <li key={`${type}/${target}`}>
              <Link to="/projects/$project/review/$type/$target" params={{ project, type, target }}>
                {type === "trace" ? "Trace" : "Run"} …{shortId(target)}
              </Link>
              <span>
                {ratings.map(({ annotator, label, value }) => (
                  <span key={annotator} className={styles.share}>
                    <Characters text={annotator} />: <b>{label === null ? exactText(value) : <Characters text={labelText(label)} />}</b>
                  </span>
                ))}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

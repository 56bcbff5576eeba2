import type { IterationFacets } from "../../api/iterations"
import { Choice, Facet, FacetList } from "../../parts/FacetList"
import { countText } from "../../words/format"
import { inBandOrder } from "../../words/iterations"
import type { GroupState } from "./places"

interface State extends GroupState {
  band?: string
  provisional?: boolean
}

interface Props {
  facets: IterationFacets
  state: State
  onChange: (patch: { [K in keyof State]?: State[K] | undefined }) => void
}

const SHOWN_VALUES = 6

/** What the iterations of the filter have in common; each count is a filter. */
export function IterationCounts({ facets, state, onChange }: Props) {
  const groups = [
    ["Band", "band", inBandOrder(facets.bands)],
    ["Agent", "agent", facets.agents],
    ["Model", "model", facets.models],
    ["Rules file", "rules", facets.rules_files],
    ["Label", "label", facets.labels],
    ["Session", "session", facets.sessions],
  ] as const
  const choices = (name: (typeof groups)[number][1], values: IterationFacets["agents"]) =>
    values.map(({ value, count }) => (
      <Choice key={value} label={value} count={count} on={state[name] === value} onPress={(on) => onChange({ [name]: on ? value : undefined })} />
    ))
  return (
    <FacetList>
      {groups.map(([head, name, values]) =>
        values.length === 0 ? null : (
          <Facet key={name} head={head}>
            {choices(name, values.slice(0, SHOWN_VALUES))}
            {values.length > SHOWN_VALUES && (
              <li>
                <details>
                  <summary>{countText(values.length - SHOWN_VALUES)} more</summary>
                  <ul>{choices(name, values.slice(SHOWN_VALUES))}</ul>
                </details>
              </li>
            )}
          </Facet>
        ),
      )}
      {facets.provisional_count > 0 && (
        <Facet head="Evidence">
          <Choice label="provisional" count={facets.provisional_count} on={state.provisional === true} onPress={(on) => onChange({ provisional: on || undefined })} />
          <Choice label="verdicts" count={facets.total - facets.provisional_count} on={state.provisional === false} onPress={(on) => onChange({ provisional: on ? false : undefined })} />
        </Facet>
      )}
    </FacetList>
  )
}

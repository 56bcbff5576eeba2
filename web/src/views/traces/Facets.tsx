import type { TraceFacets } from "../../api/traces"
import { Choice, Facet, FacetList } from "../../parts/FacetList"
import { countText } from "../../words/format"
import type { State } from "./filters"

interface Props {
  facets: TraceFacets
  state: State
  onChange: (patch: { [K in keyof State]?: State[K] | undefined }) => void
}

const SHOWN_KEYS = 5
const SHOWN_VALUES = 6

/** What the traces of the filter have in common; each count is a filter. */
export function Facets({ facets, state, onChange }: Props) {
  const metadata = facets.metadata.filter((key) => key.distinct > 1 || `meta.${key.key}` in state).slice(0, SHOWN_KEYS)
  return (
    <FacetList>
      <Facet head="State">
        <Choice label="with an error" count={facets.error_count} on={state.error === true} onPress={(on) => onChange({ error: on || undefined })} />
        <Choice label="in the queue" count={facets.queued_count} on={state.queue === true} onPress={(on) => onChange({ queue: on || undefined })} />
      </Facet>
      {facets.models.length > 0 && (
        <Facet head="Model">
          {facets.models.slice(0, SHOWN_VALUES).map(({ value, count }) => (
            <Choice key={value} label={value} count={count} on={state.model === value} onPress={(on) => onChange({ model: on ? value : undefined })} />
          ))}
        </Facet>
      )}
      {metadata.map((key) => {
        const name = `meta.${key.key}` as `meta.${string}`
        return (
          <Facet key={key.key} head={key.key}>
            {key.values.slice(0, SHOWN_VALUES).map(({ value, count }) => (
              <Choice key={value} label={value} count={count} on={state[name] === value} onPress={(on) => onChange({ [name]: on ? value : undefined })} />
            ))}
            {key.distinct > SHOWN_VALUES && <li className="mute">and {countText(key.distinct - SHOWN_VALUES)} more</li>}
          </Facet>
        )
      })}
    </FacetList>
  )
}

import { countText } from "../../words/format"

/** Says that traces have arrived, and shows them when the reader wants to. It stands beside the heading, where it moves nothing. */
export function Arrived({ count, all, onShow }: { count: number; all: boolean; onShow: () => void }) {
  return (
    <div role="status" aria-live="polite">
      {count > 0 && (
        <button type="button" data-kind="link" onClick={onShow}>
          {countText(count)}
          {all ? " or more" : ""} new {count === 1 && !all ? "trace" : "traces"} · show
        </button>
      )}
    </div>
  )
}

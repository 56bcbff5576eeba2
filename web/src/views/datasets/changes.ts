import type { DatasetVersion } from "../../api/datasets"
import { countText } from "../../words/format"

/** What changed in a version: `+3 −1, 2 changed`. */
export function changesText({ added, removed, changed }: Pick<DatasetVersion, "added" | "removed" | "changed">): string {
  const parts = [added > 0 && `+${countText(added)}`, removed > 0 && `−${countText(removed)}`].filter(Boolean).join(" ")
  const edited = changed > 0 ? `${countText(changed)} changed` : ""
  return [parts, edited].filter((part) => part !== "").join(", ") || "nothing changed"
}

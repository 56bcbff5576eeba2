import { useParams } from "@tanstack/react-router"
import { useProjectName } from "../../api/queries"
import { Head } from "../../parts/Head"
import { Tabs } from "../../parts/Tabs"
import { Characters } from "../../parts/Text"
import { settingsSearch } from "../../searches"
import { useTitle } from "../../title"
import { useViewState } from "../../viewState"
import { BudgetTab } from "./BudgetTab"
import { KeysTab } from "./KeysTab"
import { LinksTab } from "./LinksTab"
import { MetadataTab } from "./MetadataTab"
import { PricesTab } from "./PricesTab"
import { RetentionTab } from "./RetentionTab"
import { ReviewTab } from "./ReviewTab"
import styles from "./Settings.module.css"
import { TextSearchTab } from "./TextSearchTab"

const TABS = [
  { id: "keys", label: "Keys", panel: KeysTab },
  { id: "links", label: "Shared links", panel: LinksTab },
  { id: "budget", label: "Budget", panel: BudgetTab },
  { id: "prices", label: "Prices", panel: PricesTab },
  { id: "metadata", label: "Metadata keys", panel: MetadataTab },
  { id: "text", label: "Text search", panel: TextSearchTab },
  { id: "retention", label: "Retention", panel: RetentionTab },
  { id: "review", label: "Review", panel: ReviewTab },
] as const

export function Settings() {
  const { project = "" } = useParams({ strict: false })
  const name = useProjectName(project)
  useTitle("Settings", name)
  const [state, change] = useViewState(settingsSearch)
  const tab = TABS.find((tab) => tab.id === state.tab) ?? TABS[0]
  const Panel = tab.panel
  return (
    <div className={styles.page}>
      <Head title="Settings" about={<Characters text={name ?? project} />} />
      <Tabs label="Settings" tabs={TABS} value={tab.id} onChange={(id) => change({ tab: id })}>
        <Panel key={project} project={project} />
      </Tabs>
    </div>
  )
}

import { SERVER } from "../../address"
import { NothingYet } from "../../parts/Empty"
import css from "./Dashboard.module.css"

/** Nothing to show: what to do first, with this server and project in the commands. */
export function Begin({ project, window: range }: { project: string; window: string }) {
  const tracing = [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${SERVER}`,
    `export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20YOUR_KEY"`,
    `export OTEL_RESOURCE_ATTRIBUTES="gnomon.project=${project}"`,
  ].join("\n")
  const measuring = [
    "import gnomon as gn",
    "",
    `gn.configure(url="${SERVER}", api_key="YOUR_KEY", project="${project}")`,
    'data = [{"input": "France", "expected_output": "Paris"}]',
    'gn.evaluate(my_application, data, [gn.contains()], name="prompt-v1")',
  ].join("\n")
  return (
    <div className={css.begin}>
      <NothingYet title={`No traces in the ${range}`} command={tracing}>
        Send what your application does: one that speaks OpenTelemetry needs these variables in its environment, with a key of this
        project.
      </NothingYet>
      <NothingYet title="No experiments yet" command={measuring}>
        Measure it: an experiment runs your application over a dataset and scores every answer.
      </NothingYet>
    </div>
  )
}

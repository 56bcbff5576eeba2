import { expect, test } from "vitest"
import { chipsOf, filterOf } from "../../../src/views/conversations/conversationFilters"

const NOW = Date.parse("2026-11-18T12:00:30Z")

test("the address is read as the filter of the API", () => {
  expect(filterOf("p", {}, NOW)).toEqual({ project_id: "p" })
  const state = { after: "24h", error: false, user: "u/1 ?", q: "lamp" }
  expect(filterOf("p", state, NOW)).toEqual({
    project_id: "p", after: "2026-11-17T12:00:00.000Z", has_error: "false", user_id: "u/1 ?", q: "lamp",
  })
})

test("each filter in force is a chip that takes itself away", () => {
  const patches: object[] = []
  const chips = chipsOf({ after: "24h", error: true, user: "u", q: "lamp" }, (patch) => patches.push(patch))
  expect(chips.map((chip) => chip.label)).toEqual(["last 24 h", "with an error", "user u", "text “lamp”"])
  for (const chip of chips) chip.remove()
  expect(patches).toEqual([{ after: undefined, before: undefined }, { error: undefined }, { user: undefined }, { q: undefined }])
})

import { describe, expect, test } from "vitest"
import { messagesOf } from "../../src/parts/messages"

describe("messagesOf", () => {
  test("reads OpenAI's messages with tool calls and results", () => {
    const found = messagesOf({
      messages: [
        { role: "user", content: "Where is it?" },
        { role: "assistant", content: null, tool_calls: [{ function: { name: "find", arguments: '{"id": 7}' } }] },
        { role: "tool", name: "find", content: "on its way" },
      ],
    })
    expect(found?.map((one) => one.parts)).toEqual([
      [{ kind: "text", text: "Where is it?" }],
      [{ kind: "call", name: "find", detail: { id: 7 } }],
      [{ kind: "result", name: "find", detail: "on its way" }],
    ])
  })
  test("reads Anthropic's and GenAI's parts", () => {
    const found = messagesOf([
      { role: "assistant", content: [{ type: "text", text: "Hm" }, { type: "tool_use", name: "find", input: { id: 7 } }] },
      { role: "user", parts: [{ type: "text", content: "Yes?" }, { type: "image", url: "x" }] },
    ])
    expect(found?.[0]?.parts).toEqual([{ kind: "text", text: "Hm" }, { kind: "call", name: "find", detail: { id: 7 } }])
    expect(found?.[1]?.parts).toEqual([{ kind: "text", text: "Yes?" }, { kind: "other", detail: { type: "image", url: "x" } }])
  })
  test("what is not a chat is none", () => {
    for (const value of [null, "text", 7, [], {}, [{ content: "no role" }], { messages: [{ role: 7 }] }]) {
      expect(messagesOf(value)).toBeUndefined()
    }
  })
  test("arguments that are not JSON stay as they are", () => {
    const [message] = messagesOf([{ role: "assistant", tool_calls: [{ name: "f", arguments: "{broken" }] }]) ?? []
    expect(message?.parts).toEqual([{ kind: "call", name: "f", detail: "{broken" }])
  })
})

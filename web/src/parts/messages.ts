// A chat in an input or output: messages with a role and a content, in the forms that applications send.

export interface Message {
  role: string
  /** Readable parts in their order. */
  parts: Part[]
}
export type Part =
  | { kind: "text"; text: string }
  | { kind: "call"; name: string; detail: unknown }
  | { kind: "result"; name: string; detail: unknown }
  | { kind: "other"; detail: unknown }

type Json = Record<string, unknown>

/** The messages of a value, or undefined when it is not a chat. */
export function messagesOf(value: unknown): Message[] | undefined {
  const list = Array.isArray(value) ? value : isObject(value) ? (value["messages"] ?? value["choices"]) : undefined
  if (!Array.isArray(list) || list.length === 0) return undefined
  const messages: Message[] = []
  for (const each of list) {
    const message = isObject(each) && isObject(each["message"]) ? each["message"] : each
    if (!isObject(message) || typeof message["role"] !== "string") return undefined
    messages.push({ role: message["role"], parts: partsOf(message) })
  }
  return messages
}

function partsOf(message: Json): Part[] {
  const content = message["content"] ?? message["parts"]
  const parts = Array.isArray(content) ? content.map(partOf) : content === undefined || content === null ? [] : [partOf(content)]
  const calls = Array.isArray(message["tool_calls"]) ? message["tool_calls"].map(callOf) : []
  if (message["role"] === "tool" && parts.length > 0) {
    const name = String(message["name"] ?? message["tool_call_id"] ?? "tool")
    return parts.map((part) => ({ kind: "result", name, detail: part.kind === "text" ? part.text : part }))
  }
  return [...parts, ...calls]
}

function partOf(content: unknown): Part {
  if (typeof content === "string") return { kind: "text", text: content }
  if (!isObject(content)) return { kind: "other", detail: content }
  const type = content["type"]
  const text = content["text"] ?? (type === "text" ? content["content"] : undefined)
  if (typeof text === "string") return { kind: "text", text }
  if (type === "tool_call" || type === "tool_use" || type === "function_call") return callOf(content)
  if (type === "tool_call_response" || type === "tool_result") {
    const detail = content["result"] ?? content["response"] ?? content["content"]
    return { kind: "result", name: String(content["name"] ?? content["id"] ?? content["tool_use_id"] ?? "tool"), detail }
  }
  return { kind: "other", detail: content }
}

function callOf(call: unknown): Part {
  if (!isObject(call)) return { kind: "other", detail: call }
  const inner = isObject(call["function"]) ? call["function"] : call
  const detail = inner["arguments"] ?? inner["input"] ?? inner["args"] ?? null
  return { kind: "call", name: String(inner["name"] ?? "tool"), detail: parsed(detail) }
}

/** Arguments often come as JSON in a text. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value) || value.length > 100_000) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

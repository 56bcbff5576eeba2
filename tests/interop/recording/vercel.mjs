// One conversation through Vercel's AI SDK. Runs in a folder with node_modules; prints its spans as JSON.
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { generateText, tool, stepCountIs } = require("ai");
const { createOpenAICompatible } = require("@ai-sdk/openai-compatible");
const { NodeTracerProvider } = require("@opentelemetry/sdk-trace-node");
const { InMemorySpanExporter, SimpleSpanProcessor } = require("@opentelemetry/sdk-trace-base");
const { z } = require("zod");

const told = JSON.parse(process.argv[2]);
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
const provider = createOpenAICompatible({ name: "loopback", baseURL: told.url, apiKey: "loopback" });
await generateText({
  model: provider(told.model),
  system: told.system,
  prompt: told.question,
  tools: {
    get_weather: tool({
      description: "The weather in a city.",
      inputSchema: z.object({ city: z.string() }),
      execute: async () => told.weather,
    }),
  },
  stopWhen: stepCountIs(4),
  experimental_telemetry: {
    isEnabled: true,
    functionId: "weather",
    metadata: { sessionId: "session-1", userId: "user-1" },
  },
});

const nanoseconds = ([seconds, rest]) => BigInt(seconds) * 1000000000n + BigInt(rest);
const spans = exporter.getFinishedSpans();
spans.sort((a, b) => (nanoseconds(a.startTime) < nanoseconds(b.startTime) ? -1 : 1));
const ids = spans.map((span) => span.spanContext().spanId);
const place = (id) => (ids.includes(id) ? ids.indexOf(id) : null);
console.log(
  JSON.stringify(
    spans.map((span) => ({
      name: span.name,
      scope: span.instrumentationScope.name,
      parent: place(span.parentSpanContext?.spanId),
      status: ["UNSET", "OK", "ERROR"][span.status.code],
      attributes: span.attributes,
      events: span.events.map((event) => ({ name: event.name, attributes: event.attributes ?? {} })),
    })),
  ),
);

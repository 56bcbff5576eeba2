// A job in words: what it does, how far it is, and why it failed. All of it is pure.
import type { Job, JobStatus } from "../../api/jobs"
import { countText, moneyText } from "../../words/format"

export const STATUSES: readonly JobStatus[] = ["queued", "running", "done", "failed", "cancelled"]

const SHAPES: Record<JobStatus, { shape: string; tone: "good" | "bad" | "unsure" | "mute" }> = {
  queued: { shape: "○", tone: "mute" },
  running: { shape: "▶", tone: "unsure" },
  done: { shape: "✓", tone: "good" },
  failed: { shape: "✕", tone: "bad" },
  cancelled: { shape: "■", tone: "mute" },
}

export function statusLook(status: JobStatus): { shape: string; tone: string } {
  return SHAPES[status]
}

const KINDS: Record<string, string> = {
  score_experiment: "Score experiment",
  score_spans: "Score spans",
  judge: "Judge",
  probe_judge: "Probe judge",
  playground: "Playground",
  index_metadata: "Index metadata",
  index_text: "Index text",
}

/** What a job does; a kind that is not known is shown as it is. */
export function kindWords(kind: string): string {
  return KINDS[kind] ?? kind.replaceAll("_", " ")
}

const OPEN = new Set(["queued", "running"])

export interface Progress {
  /** Pieces that came to an end, and those of them that failed. */
  ended: number
  failed: number
  total: number
  text: string
}

/**
 * Pieces that came to an end, whatever became of them; there may be more of them than were expected. A judge's job is
 * one piece: when it is tried again, its counts are still those of the time before.
 */
export function progressOf(job: Pick<Job, "kind" | "status" | "counts" | "total">): Progress {
  if (job.kind === "judge" && OPEN.has(job.status)) return { ended: 0, failed: 0, total: 1, text: "0 of 1" }
  const ended = Object.entries(job.counts).reduce((sum, [name, count]) => (OPEN.has(name) ? sum : sum + count), 0)
  const total = Math.max(job.total, ended)
  const failed = job.counts["failed"] ?? 0
  if (total === 0) return { ended, failed, total, text: job.status === "done" ? "nothing to do" : "not counted yet" }
  return { ended, failed, total, text: `${countText(ended)} of ${countText(total)}` }
}

/** `185 scored · 9 absent · 6 failed`, the most frequent first; what is 0 is left out. */
export function countsWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([name, count]) => `${countText(count)} ${name}`)
    .join(" · ")
}

/** Cost of a job, and why there is none where there is none. */
export function jobCost(job: Pick<Job, "cost_usd" | "model" | "status" | "kind">): { text: string; why: string | undefined } {
  if (job.cost_usd !== null && job.cost_usd !== undefined) return { text: moneyText(job.cost_usd), why: undefined }
  if (!job.model) return { text: "–", why: job.kind === "judge" ? "No model is known of it" : "It asks no model itself" }
  if (job.status === "done") return { text: "unknown", why: `${job.model} has no known price` }
  return { text: "–", why: "No answer came, so no cost is known" }
}

/** What a button may do with a job. */
export function actionOf(status: JobStatus): "retry" | "cancel" | undefined {
  if (OPEN.has(status)) return "cancel"
  return status === "done" ? undefined : "retry"
}

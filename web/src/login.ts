// Where the login leads: paths of this page only.

export function loginAddress(next: string): string {
  return next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}`
}

/** A path of this origin that is not a login itself, or "/". `//host`, `/\host` and control characters lead elsewhere. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/.test(next)) return "/"
  if (/^\/login(?:[/?#]|$)/.test(next)) return "/"
  return next
}

/** The one-use code of a printed link, which stands in the fragment so that no log holds it. */
export function codeOf(hash: string): string | null {
  return named(hash, "code")
}

/** The token of a share's link, which stands there for the same reason. */
export function tokenOf(hash: string): string | null {
  return named(hash, "token")
}

function named(hash: string, name: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get(name) || null
}

/** Where a session begins: a reviewer may see the queue of one project and nothing else. */
export function startOf(session: { role: string; project_id: string | null }, next: string | undefined): string {
  const path = safeNext(next)
  if (session.role !== "reviewer") return path
  const queue = `/projects/${encodeURIComponent(session.project_id ?? "")}/review`
  return path.startsWith(`${queue}/`) || path.startsWith(`${queue}?`) ? path : queue
}

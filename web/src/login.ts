// Where the login leads: paths of this page only.

export function loginAddress(next: string): string {
  return next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}`
}

/** A path of this origin that is no login itself, or "/". `//host`, `/\host` and control characters lead elsewhere. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/.test(next)) return "/"
  if (/^\/login(?:[/?#]|$)/.test(next)) return "/"
  return next
}

/** The one-use code of a printed link, which stands in the fragment so that no log holds it. */
export function codeOf(hash: string): string | null {
  const code = new URLSearchParams(hash.replace(/^#/, "")).get("code")
  return code === null || code === "" ? null : code
}

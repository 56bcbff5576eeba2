// Where the page is: a proxy may serve it below a path, which the server writes into the page (`data-base`).

/** "" at the root of a host, "/gnomon" below that path. */
export const BASE = typeof document === "undefined" ? "" : (document.documentElement.dataset.base ?? "")

/** The share whose link is open here, else undefined: all of its page lies below `/share/ID`. */
export const SHARE = typeof window === "undefined" ? undefined : sharedId(withoutBase(window.location.pathname))

/** Where the router's addresses begin. */
export const PAGE_BASE = SHARE === undefined ? BASE : `${BASE}/share/${SHARE}`

function sharedId(path: string): string | undefined {
  return /^\/share\/([0-9a-f-]{36})(?:\/|$)/.exec(path)?.[1]
}

/** The server's address as a program would call it: for commands to copy. */
export const SERVER = (typeof window === "undefined" ? "http://127.0.0.1" : window.location.origin) + BASE

/** A path of the browser's address bar as the router knows it. */
export function withoutBase(path: string, base: string = BASE): string {
  if (base === "" || !`${path}/`.startsWith(`${base}/`)) return path
  return path.slice(base.length) || "/"
}

// Where the page is: a proxy may serve it below a path, which the server writes into the page (`data-base`).

/** "" at the root of a host, "/gnomon" below that path. */
export const BASE = typeof document === "undefined" ? "" : (document.documentElement.dataset.base ?? "")

/** The server's address as a program would call it: for commands to copy. */
export const SERVER = (typeof window === "undefined" ? "http://127.0.0.1" : window.location.origin) + BASE

/** A path of the browser's address bar as the router knows it. */
export function withoutBase(path: string, base: string = BASE): string {
  if (base === "" || !`${path}/`.startsWith(`${base}/`)) return path
  return path.slice(base.length) || "/"
}

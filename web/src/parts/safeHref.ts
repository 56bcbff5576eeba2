/**
 * The address of a link that came from data, or null where it must stay text.
 * Only absolute http, https and mailto; nothing that a browser would read otherwise than it looks.
 */
export function safeHref(address: unknown): string | null {
  if (typeof address !== "string" || address.length > 2000) return null
  // Browsers drop tabs and line ends inside an address and trim controls at its start.
  if (/[\u0000-\u0020\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\\]/.test(address)) return null
  if (!/^(?:https?:\/\/[^/]|mailto:[^/])/i.test(address)) return null
  try {
    const url = new URL(address)
    if (url.protocol === "mailto:") return url.href
    if (url.protocol !== "http:" && url.protocol !== "https:") return null
    // user@host looks like another host than it is.
    return url.username === "" && url.password === "" && url.hostname !== "" ? url.href : null
  } catch {
    return null
  }
}

// The web address of a commit, where the name of a repository says which forge it lies on.

/** How a forge writes the address of a commit below that of its repository. */
const FORGES: Readonly<Record<string, string>> = {
  "github.com": "commit",
  "gitlab.com": "-/commit",
  "codeberg.org": "commit",
  "bitbucket.org": "commits",
}
const SCHEME = "https"
const COMMIT = /^[0-9a-f]{7,40}$/
const NAME = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9_-])?$/

/**
 * `github.com/owner/name` and a commit's hash give an address; anything else gives null, and the hash is shown to copy.
 * The host is one of four, and owner, name and hash have no character that could lead elsewhere.
 */
export function commitAddress(source: string, commit: string | null | undefined): string | null {
  if (!commit || !COMMIT.test(commit)) return null
  const [host = "", ...path] = source.replace(/^https:\/\//, "").replace(/\.git$/, "").split("/")
  const middle = Object.hasOwn(FORGES, host) ? FORGES[host] : undefined
  const isRepository = path.length >= 2 && path.length <= (host === "gitlab.com" ? 6 : 2) && path.every((part) => NAME.test(part))
  return middle !== undefined && isRepository ? `${SCHEME}://${[host, ...path, middle, commit].join("/")}` : null
}

/** Where an iteration's commits are: the address that was pushed with it, else what the source's name says. */
export function sourceAddress(iteration: { source: string; repository_url?: string | null | undefined }): string {
  return iteration.repository_url ?? iteration.source
}

export interface DetailPart {
  text: string
  /** A commit's hash: to link, or to copy. */
  commit: boolean
}

/** A signal's detail, cut where it names commits. A number alone is not a commit. */
export function detailParts(detail: string): DetailPart[] {
  return detail
    .split(/\b((?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{7,40})\b/)
    .map((text, index) => ({ text, commit: index % 2 === 1 }))
    .filter((part) => part.text !== "")
}

/** A signal's detail for a narrow place: each commit by its first seven characters. */
export function withShortCommits(detail: string): string {
  return detailParts(detail).map(({ text, commit }) => (commit ? text.slice(0, 7) : text)).join("")
}

const LONGEST = 60

/** A name for the exported file that any system takes. */
export function fileName(dataset: string, version: number): string {
  const plain = dataset.normalize("NFKD").replaceAll(/[^\w.-]+/g, "-").replaceAll(/^[-.]+|-+$/g, "")
  return `${plain.slice(0, LONGEST) || "dataset"}-v${version}.ndjson`
}

// Icons of the bar: strokes on 16 × 16.
const ICONS = {
  dashboard: "M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z",
  experiments: "M2 8h12M2 5v6M14 5v6M8 6.5a1.5 1.5 0 1 0 .01 0z",
  iterations: "M2 13V3M2 13h12M5 10l3-4 2 2 4-5",
  leaderboard: "M2 4h9M2 8h12M2 12h6M11 2.5v3M14 6.5v3M8 10.5v3",
  traces: "M2 3h12M4 8h7M7 13h5",
  conversations: "M1.5 2.5h9v6h-5l-2.5 2v-2h-1.5zM12.5 5.5h2v6h-1.5v2l-2.5-2h-3",
  datasets: "M2 4c0-3 12-3 12 0v8c0 3-12 3-12 0zM2 4c0 3 12 3 12 0M2 8c0 3 12 3 12 0",
  judges: "M8 2v12M4 14h8M3 4h10M3 4l-2 5h4zM13 4l-2 5h4z",
  jobs: "M8 2a6 6 0 1 0 .01 0zM8 5v3l2 2",
  rules: "M2 3h12L9 9v5l-2-1V9z",
  review: "M2 3h12v8H7l-3 3v-3H2zM5 7l2 2 4-4",
  agreement: "M6 4a4 4 0 1 0 .01 8M10 4a4 4 0 1 1-.01 8M8 5v6",
  playground: "M2 3h12v10H2zM5 6l2 2-2 2M9 10h3",
  settings: "M2 4h12M2 8h12M2 12h12M5 2.5v3M11 6.5v3M6 10.5v3",
  theme: "M8 2a6 6 0 1 0 .01 0zM8 2v12M8 5l4.5 0M8 8h6M8 11h4.5",
  link: "M7 9a3 3 0 0 0 4 0l2-2a3 3 0 0 0-4-4L8 4M9 7a3 3 0 0 0-4 0L3 9a3 3 0 0 0 4 4l1-1",
  view: "M1 8c3-6 11-6 14 0-3 6-11 6-14 0zM8 6.5a1.5 1.5 0 1 0 .01 0z",
  keys: "M1 4h14v8H1zM4 7h.01M8 7h.01M12 7h.01M5 9.5h6",
  leave: "M6 2H2v12h4M10 5l3 3-3 3M13 8H6",
} as const

export type IconName = keyof typeof ICONS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d={ICONS[name]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

// Every plot with example data, to be looked at: `vite` and then /gallery.html?theme=dark. Not part of the build.
import { createRoot } from "react-dom/client"
import { Part1 } from "./part1"
import { Part2 } from "./part2"
import "./gallery.css"

document.documentElement.dataset.theme = new URLSearchParams(location.search).get("theme") ?? "light"

const root = document.getElementById("root")
if (root) {
  createRoot(root).render(
    <main>
      <h1>Plots</h1>
      <Part1 />
      <Part2 />
    </main>,
  )
}

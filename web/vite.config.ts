import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

// The page is served by the same process as the API. In development, Vite serves it and passes /v1 on.
const server = process.env.GNOMON_URL ?? "http://127.0.0.1:8321"

export default defineConfig({
  plugins: [react()],
  // Addresses of scripts and styles are relative, since the page may be served below any path; the server writes those of
  // index.html out.
  base: "./",
  build: {
    outDir: "../src/gnomon/server/static",
    emptyOutDir: true,
    // The page's policy allows no inline script, and all browsers that it supports know modulepreload.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2023",
    reportCompressedSize: false,
  },
  server: { host: "127.0.0.1", proxy: { "/v1": server, "/openapi.json": server } },
})

// Starts the page: query client, router, theme.
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { SHARE, withoutBase } from "./address"
import { asProblem, retryable } from "./api/problem"
import { loginAddress } from "./login"
import { makeRouter } from "./routes"
import { applyTheme, storedTheme } from "./theme"
import "./tokens.css"
import "./base.css"

const router = makeRouter()

/** A session that ended leads to the login, and from there back to the same address. */
function onProblem(thrown: Error): void {
  // A share that ended is said by its own frame, and needs no login.
  if (asProblem(thrown).status !== 401 || SHARE !== undefined || withoutBase(window.location.pathname) === "/login" || withoutBase(window.location.pathname) === "/share") return
  const { pathname, search, hash } = window.location
  void router.navigate({ href: loginAddress(withoutBase(pathname) + search + hash), replace: true })
}

const client = new QueryClient({
  queryCache: new QueryCache({ onError: onProblem }),
  mutationCache: new MutationCache({ onError: onProblem }),
  defaultOptions: {
    queries: {
      // A server on this machine answers without a network.
      networkMode: "always",
      staleTime: 5_000,
      retry: (failures, thrown) => failures < 2 && retryable(asProblem(thrown)) && asProblem(thrown).status > 0,
    },
    mutations: { networkMode: "always" },
  },
})

applyTheme(storedTheme(document.cookie))
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

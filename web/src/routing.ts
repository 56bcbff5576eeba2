// How the URL map names a view that is loaded when it is first shown, and the parameters that a route reads.
import { lazyRouteComponent } from "@tanstack/react-router"
import type { RouteComponent } from "@tanstack/react-router"
import { ping } from "./api/online"
import { noServer } from "./api/problem"
import type { Search } from "./params"

/** A view is loaded when it is first shown. Its type stays out of the router's, which it may itself ask for. */
export function view<N extends string>(load: () => Promise<{ [K in N]: unknown }>, name: N): RouteComponent {
  const loadOrSay = () => load().catch(explainFailedLoad)
  return lazyRouteComponent(loadOrSay as () => Promise<Record<N, RouteComponent>>, name) as RouteComponent
}

/** Without a server, say so and stay; with one, the file is of an older build, and the router loads the page anew, once. */
async function explainFailedLoad(thrown: unknown): Promise<never> {
  throw (await ping()) ? thrown : noServer()
}

/** What a route needs to read its parameters and to name the ignored ones. */
export function reads<S extends Search>(spec: S): { validateSearch: S["validate"]; staticData: { search: Search } } {
  return { validateSearch: spec.validate, staticData: { search: spec } }
}

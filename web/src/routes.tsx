// The URL map: one entry per view. Begin reading here.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from "@tanstack/react-router"
import type { RouteComponent } from "@tanstack/react-router"
import { BASE } from "./address"
import { ping } from "./api/online"
import { noServer } from "./api/problem"
import type { Search } from "./params"
import { parseSearch, stringifySearch } from "./params"
import * as searches from "./searches"
import { NotHere, PendingView, ViewFailed } from "./shell/fallbacks"
import { ProjectHere } from "./shell/ProjectHere"
import { Shell } from "./shell/Shell"

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The view's parameters, for "copy view" and for the notice about ignored ones. */
    search?: Search
  }
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}

/** A view is loaded when it is first shown. Its type stays out of the router's, which it may itself ask for. */
function view<N extends string>(load: () => Promise<{ [K in N]: unknown }>, name: N): RouteComponent {
  const loadOrSay = () => load().catch(explainFailedLoad)
  return lazyRouteComponent(loadOrSay as () => Promise<Record<N, RouteComponent>>, name) as RouteComponent
}

/** Without a server, say so and stay; with one, the file is of an older build, and the router loads the page anew, once. */
async function explainFailedLoad(thrown: unknown): Promise<never> {
  throw (await ping()) ? thrown : noServer()
}

/** What a route needs to read its parameters and to name the ignored ones. */
function reads<S extends Search>(spec: S): { validateSearch: S["validate"]; staticData: { search: Search } } {
  return { validateSearch: spec.validate, staticData: { search: spec } }
}

const root = createRootRoute({ component: Outlet })
const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell })
const project = createRoute({ getParentRoute: () => shell, path: "/projects/$project", component: ProjectHere })
const elsewhere = createRoute({ getParentRoute: () => shell, path: "$", component: NotHere })

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  ...reads(searches.loginSearch),
  component: view(() => import("./views/login/Login"), "Login"),
})
const projects = createRoute({
  getParentRoute: () => shell,
  path: "/",
  ...reads(searches.projectsSearch),
  component: view(() => import("./views/projects/Projects"), "Projects"),
})
const dashboard = createRoute({
  getParentRoute: () => project,
  path: "/",
  ...reads(searches.dashboardSearch),
  component: view(() => import("./views/dashboard/Dashboard"), "Dashboard"),
})
const traces = createRoute({
  getParentRoute: () => project,
  path: "/traces",
  ...reads(searches.tracesSearch),
  component: view(() => import("./views/traces/Traces"), "Traces"),
})
const trace = createRoute({
  getParentRoute: () => project,
  path: "/traces/$trace",
  ...reads(searches.traceSearch),
  component: view(() => import("./views/traces/Trace"), "Trace"),
})
const experiments = createRoute({
  getParentRoute: () => project,
  path: "/experiments",
  ...reads(searches.experimentsSearch),
  component: view(() => import("./views/experiments/Experiments"), "Experiments"),
})
const experiment = createRoute({
  getParentRoute: () => project,
  path: "/experiments/$experiment",
  ...reads(searches.experimentSearch),
  component: view(() => import("./views/experiments/Experiment"), "Experiment"),
})
const compare = createRoute({
  getParentRoute: () => project,
  path: "/compare/$base/$candidate",
  ...reads(searches.compareSearch),
  component: view(() => import("./views/experiments/Compare"), "Compare"),
})
const datasets = createRoute({
  getParentRoute: () => project,
  path: "/datasets",
  ...reads(searches.datasetsSearch),
  component: view(() => import("./views/datasets/Datasets"), "Datasets"),
})
const dataset = createRoute({
  getParentRoute: () => project,
  path: "/datasets/$dataset",
  ...reads(searches.datasetSearch),
  component: view(() => import("./views/datasets/Dataset"), "Dataset"),
})
const jobs = createRoute({
  getParentRoute: () => project,
  path: "/jobs",
  ...reads(searches.jobsSearch),
  component: view(() => import("./views/jobs/Jobs"), "Jobs"),
})
const rules = createRoute({
  getParentRoute: () => project,
  path: "/rules",
  ...reads(searches.rulesSearch),
  component: view(() => import("./views/rules/Rules"), "Rules"),
})
const settings = createRoute({
  getParentRoute: () => project,
  path: "/settings",
  ...reads(searches.settingsSearch),
  component: view(() => import("./views/settings/Settings"), "Settings"),
})

// Later views, when their files exist: leaderboard, judges, judges/$judge, judges/$judge/label, iterations,
// iterations/$iteration, integrity (under `project`, with a line in shell/navigation.ts), and review,
// review/$trace (under `root`: reviewers have a plain shell of their own).

const tree = root.addChildren([
  login,
  shell.addChildren([
    projects,
    project.addChildren([
      dashboard,
      traces,
      trace,
      experiments,
      experiment,
      compare,
      datasets,
      dataset,
      jobs,
      rules,
      settings,
    ]),
    elsewhere,
  ]),
])

export function makeRouter() {
  return createRouter({
    routeTree: tree,
    basepath: BASE || "/",
    parseSearch,
    stringifySearch,
    defaultPendingMs: 150,
    defaultPendingComponent: PendingView,
    defaultErrorComponent: ViewFailed,
    defaultNotFoundComponent: NotHere,
    scrollRestoration: true,
  })
}

// The URL map: one entry per view. Begin reading here.
import { createRootRoute, createRoute, createRouter, Outlet } from "@tanstack/react-router"
import { PAGE_BASE, SHARE } from "./address"
import { parseSearch, stringifySearch, type Search } from "./params"
import { reads, view } from "./routing"
import * as searches from "./searches"
import { NotHere, PendingView, ViewFailed } from "./shell/fallbacks"
import { ProjectHere } from "./shell/ProjectHere"
import { SharedShell } from "./shell/SharedShell"
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

const root = createRootRoute({ component: Outlet })
const shell = createRoute({ getParentRoute: () => root, id: "shell", component: SHARE === undefined ? Shell : SharedShell })
const project = createRoute({ getParentRoute: () => shell, path: "/projects/$project", component: SHARE === undefined ? ProjectHere : Outlet })
const elsewhere = createRoute({ getParentRoute: () => shell, path: "$", component: NotHere })

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  ...reads(searches.loginSearch),
  component: view(() => import("./views/login/Login"), "Login"),
})
const share = createRoute({
  getParentRoute: () => root,
  path: "/share",
  component: view(() => import("./views/login/OpenShare"), "OpenShare"),
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
const conversations = createRoute({
  getParentRoute: () => project,
  path: "/conversations",
  ...reads(searches.conversationsSearch),
  component: view(() => import("./views/conversations/Conversations"), "Conversations"),
})
const conversation = createRoute({
  getParentRoute: () => project,
  path: "/conversations/$conversation",
  ...reads(searches.conversationSearch),
  component: view(() => import("./views/conversations/Conversation"), "Conversation"),
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
const iterations = createRoute({
  getParentRoute: () => project,
  path: "/iterations",
  ...reads(searches.iterationsSearch),
  component: view(() => import("./views/iterations/Iterations"), "Iterations"),
})
const iterationGroups = createRoute({
  getParentRoute: () => project,
  path: "/iterations/compare",
  ...reads(searches.iterationCompareSearch),
  component: view(() => import("./views/iterations/IterationGroups"), "IterationGroups"),
})
const iteration = createRoute({
  getParentRoute: () => project,
  path: "/iterations/$iteration",
  ...reads(searches.iterationSearch),
  component: view(() => import("./views/iterations/Iteration"), "Iteration"),
})
const integrity = createRoute({
  getParentRoute: () => project,
  path: "/integrity",
  ...reads(searches.integritySearch),
  component: view(() => import("./views/iterations/Integrity"), "Integrity"),
})
const leaderboard = createRoute({
  getParentRoute: () => project,
  path: "/leaderboard",
  ...reads(searches.leaderboardSearch),
  component: view(() => import("./views/leaderboard/Leaderboard"), "Leaderboard"),
})
const transcript = createRoute({
  getParentRoute: () => project,
  path: "/leaderboard/runs/$run",
  ...reads(searches.transcriptSearch),
  component: view(() => import("./views/leaderboard/Transcript"), "Transcript"),
})
const judges = createRoute({
  getParentRoute: () => project,
  path: "/judges",
  ...reads(searches.judgesSearch),
  component: view(() => import("./views/judges/Judges"), "Judges"),
})
const judge = createRoute({
  getParentRoute: () => project,
  path: "/judges/$judge",
  ...reads(searches.judgeSearch),
  component: view(() => import("./views/judges/Card"), "Card"),
})
const labelNext = createRoute({
  getParentRoute: () => project,
  path: "/judges/$judge/label",
  ...reads(searches.labelSearch),
  component: view(() => import("./views/judges/LabelNext"), "LabelNext"),
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
const playground = createRoute({
  getParentRoute: () => project,
  path: "/playground",
  ...reads(searches.playgroundSearch),
  component: view(() => import("./views/playground/Playground"), "Playground"),
})
const settings = createRoute({
  getParentRoute: () => project,
  path: "/settings",
  ...reads(searches.settingsSearch),
  component: view(() => import("./views/settings/Settings"), "Settings"),
})

const agreement = createRoute({
  getParentRoute: () => project,
  path: "/review/agreement",
  ...reads(searches.agreementSearch),
  component: view(() => import("./views/review/Agreement"), "Agreement"),
})

// Reviewers have a plain frame of their own.
const review = createRoute({
  getParentRoute: () => root,
  path: "/projects/$project/review",
  component: view(() => import("./shell/ReviewShell"), "ReviewShell"),
})
const queue = createRoute({
  getParentRoute: () => review,
  path: "/",
  ...reads(searches.reviewSearch),
  component: view(() => import("./views/review/Queue"), "Queue"),
})
const annotate = createRoute({
  getParentRoute: () => review,
  path: "/$type/$target",
  ...reads(searches.annotateSearch),
  component: view(() => import("./views/review/Annotate"), "Annotate"),
})

const tree = root.addChildren([
  login,
  share,
  shell.addChildren([
    projects,
    project.addChildren([
      dashboard, traces, trace, conversations, conversation, experiments, experiment, compare,
      leaderboard, transcript, datasets, dataset, iterations, iterationGroups, iteration, integrity,
      judges, judge, labelNext, jobs, rules, playground, settings, agreement,
    ]),
    elsewhere,
  ]),
  review.addChildren([queue, annotate]),
])

export function makeRouter() {
  return createRouter({
    routeTree: tree,
    basepath: PAGE_BASE || "/",
    parseSearch,
    stringifySearch,
    defaultPendingMs: 150,
    defaultPendingComponent: PendingView,
    defaultErrorComponent: ViewFailed,
    defaultNotFoundComponent: NotHere,
    scrollRestoration: true,
  })
}

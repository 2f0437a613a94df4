/** Which methods a path has. Used only if the router found no route, to choose between 405 and 404. */
export interface RouteMap {
  readonly methodsOf: (path: string) => ReadonlyArray<string>
}

export interface RouteShape {
  readonly method: string
  /** With `:name` for a parameter. */
  readonly path: string
}

const matcherOf = (path: string): RegExp => {
  const pattern = path
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("/")
  return new RegExp(`^${pattern}$`)
}

export const makeRouteMap = (routes: ReadonlyArray<RouteShape>): RouteMap => {
  const matchers = routes.map((route) => ({ method: route.method, matches: matcherOf(route.path) }))
  return {
    methodsOf: (path) => [...new Set(matchers.filter((route) => route.matches.test(path)).map((route) => route.method))]
  }
}

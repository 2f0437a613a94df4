import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { Policy, type PolicyFacts } from "./Policy.ts"
import type { RouteShape } from "./RouteMap.ts"

/** One declared route with its facts: what the router, the document and the matrix tests are made from. */
export interface DeclaredRoute extends RouteShape {
  readonly group: string
  readonly name: string
  readonly policy: PolicyFacts
}

/** Every route of an api, with the policy its declaration names; an endpoint without one is an error at startup. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<DeclaredRoute> => {
  const routes: Array<DeclaredRoute> = []
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const policy = endpoint.annotations.mapUnsafe.get(Policy.key) as PolicyFacts | undefined
      if (policy === undefined) throw new Error(`${endpoint.method} ${endpoint.path} declares no policy`)
      routes.push({
        method: endpoint.method,
        path: endpoint.path,
        group: group.identifier,
        name: endpoint.identifier,
        policy
      })
    }
  })
  return routes
}

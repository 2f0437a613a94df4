/** Calls operations by their names in the API document, and keeps what was sent and answered. */
import { Api } from "@effect-commerce/handler/Api"
import type { HttpApiEndpoint } from "effect/http-api"
import type { openDemo } from "./openDemo.ts"

export interface Recorded {
  readonly request?: unknown
  readonly response?: unknown
}

export interface Asked {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Of a customer who is signed in. */
  readonly token?: string
}

// oxlint-disable-next-line typescript/no-explicit-any -- a walk reads any path of any answer
type Answer = any

const routes: ReadonlyMap<string, Pick<HttpApiEndpoint.Top, "method" | "path">> = new Map(
  Object.values(Api.groups).flatMap(({ identifier, endpoints }) =>
    Object.entries(endpoints as Readonly<Record<string, HttpApiEndpoint.Top>>).map(
      ([name, { method, path }]) => [`${identifier}.${name}`, { method, path }] as const
    )
  )
)

const filled = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/^\/api/, "").replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${path} needs ${name}`)
    return value
  })

/** `ask` answers the body of the response; the last call of an operation is the one that is kept. */
export const recorderOf = (demo: Awaited<ReturnType<typeof openDemo>>) => {
  const kept = new Map<string, Recorded>()
  const ask = async (operationId: string, { params = {}, query = {}, body, token }: Asked = {}): Promise<Answer> => {
    const route = routes.get(operationId)
    if (route === undefined) throw new Error(`no operation is called ${operationId}`)
    const isAdmin = route.path.startsWith("/api/v1/")
    const credential = isAdmin ? demo.apiKey : token
    const known = { salesChannelId: demo.salesChannelId, storeId: demo.storeId, ...params }
    const asked = new URLSearchParams(query).toString()
    const response = await demo.call({
      method: route.method,
      path: `${filled(route.path, known)}${asked === "" ? "" : `?${asked}`}`,
      headers: {
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
        ...(route.method === "GET" ? {} : { "idempotency-key": `${operationId} ${kept.size}` })
      },
      body
    })
    kept.set(operationId, { ...(body === undefined ? {} : { request: body }), response })
    return response
  }
  return { ask, kept: kept as ReadonlyMap<string, Recorded> }
}

export type Ask = ReturnType<typeof recorderOf>["ask"]

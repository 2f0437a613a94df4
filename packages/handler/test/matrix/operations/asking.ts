/** Calls operations as operations.txt writes them: each must answer what is expected, and as the API document says. */
import { expect } from "vitest"
import type { Called, CallOptions, TestCommerce } from "../../../src/testing/TestCommerce.ts"
import { differencesOf, documentedPath } from "../../system/documentedAnswers.ts"

export interface Asked {
  /** What stands in the place of each `{}`, but of a channel or a store at the beginning. */
  readonly ids?: ReadonlyArray<string>
  readonly query?: string
  readonly body?: unknown
  readonly raw?: BodyInit
  /** A key, a session or the token of an app or a customer; absent, what the surface takes by default. */
  readonly as?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export type Ask = (operation: string, status: number, asked?: Asked) => Promise<Called>

export interface Asking {
  readonly ask: Ask
  /** Operations that did what they are for. */
  readonly done: Set<string>
}

let keys = 0

export const askingOf = (shop: TestCommerce): Asking => {
  const done = new Set<string>()
  const ask: Ask = async (operation, status, { ids = [], query = "", body, raw, as, headers } = {}) => {
    const [method = "", path = ""] = operation.split(" ")
    const rest = [
      ...(path.startsWith("/vc/") ? [shop.channelId] : []),
      ...(path.startsWith("/stores/") ? [shop.storeId] : []),
      ...ids
    ]
    const filled = path.replace(/\{\}/g, () => encodeURIComponent(rest.shift() ?? "missing"))
    const isChannel = path.startsWith("/vc/")
    const options: CallOptions = {
      ...(body === undefined ? {} : { body }),
      ...(raw === undefined ? {} : { raw }),
      ...(as === undefined || isChannel ? {} : { key: as }),
      headers: {
        origin: "https://shop.example",
        ...(method !== "GET" && /complete$|\/payment$/.test(path) ? { "idempotency-key": `key-${++keys}` } : {}),
        ...(isChannel && typeof as === "string" ? { authorization: `Bearer ${as}` } : {}),
        ...headers
      }
    }
    const answer = await shop.call(method, `${filled}${query}`, options)
    expect([operation, answer.status, answer.status === status ? "" : answer.text]).toEqual([operation, status, ""])
    const documented = documentedPath(method, path.replaceAll("{}", "x")) ?? ""
    expect([operation, ...differencesOf(method, documented, answer)]).toEqual([operation])
    if (status < 400 || status === 501) done.add(operation)
    return answer
  }
  return { ask, done }
}

/** Creates two of a kind, reads them, changes one and deletes the other; resolves with the id that stays. */
export const careOf = async (
  ask: Ask,
  path: string,
  {
    create,
    another,
    change,
    status = 201
  }: {
    readonly create: object
    /** What differs in the second. */
    readonly another: object
    readonly change: object
    readonly status?: number
  }
): Promise<string> => {
  const { body: made } = await ask(`POST ${path}`, status, { body: create })
  const { body: spare } = await ask(`POST ${path}`, status, { body: { ...create, ...another } })
  const { body: listed } = await ask(`GET ${path}`, 200)
  const ids = ((Array.isArray(listed) ? listed : listed.data) as ReadonlyArray<{ readonly id: string }>).map(
    ({ id }) => id
  )
  expect(ids).toEqual(expect.arrayContaining([made.id, spare.id]))
  expect((await ask(`GET ${path}/{}`, 200, { ids: [made.id] })).body).toMatchObject({ id: made.id })
  expect((await ask(`PATCH ${path}/{}`, 200, { ids: [made.id], body: change })).body).toMatchObject(change)
  expect((await ask(`DELETE ${path}/{}`, 200, { ids: [spare.id] })).body).toMatchObject({ success: true })
  expect((await ask(`GET ${path}/{}`, 404, { ids: [spare.id] })).status).toBe(404)
  return made.id
}

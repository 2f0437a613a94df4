/** A store that has one of everything, and paths to what it has. */
import pg from "pg"
import type { RouteShape } from "../../src/middleware/RouteMap.ts"
import type { TestCommerce, TestStore } from "../../src/testing/TestCommerce.ts"
import type { Filling } from "./RoomMatrix.ts"
import { rooms } from "./rooms.ts"

export const filledShopper = { email: "theirs@example.com", password: "Corr3ct-Horse" }

/** Gives the store one of everything; ids by the path segment that precedes them, and its customer's token. */
export const fillStore = async (shop: TestCommerce, at: TestStore) => {
  const admin: Filling["admin"] = (method, path, body) =>
    shop.call(method, path, { key: at.apiKey, ...(body === undefined ? {} : { body }) })
  const { customer, token } = (
    await shop.call("POST", `/vc/${at.channelId}/customers/register`, { body: filledShopper })
  ).body
  const ids: Record<string, string> = { customers: customer.id }
  for (const { fill } of rooms) Object.assign(ids, await fill?.({ shop, at, admin, token, ids }))
  return { ids, token: token as string }
}

/** The path with a channel or store, and every other parameter filled by `idOf`. */
export const filledPath = (route: RouteShape, at: TestStore, idOf: (kind: string) => string): string => {
  const parts = route.path.split("/").slice(2)
  return `/${parts
    .map((part, i) => {
      if (part === ":salesChannelId") return at.channelId
      if (part === ":storeId") return at.storeId
      if (!part.startsWith(":")) return part
      const before = parts[i - 1] ?? ""
      if (before === "rates" && parts.includes("zones")) return idOf("zones/rates")
      return idOf(before === "classes" && parts.includes("shipping") ? "shipping/classes" : before)
    })
    .join("/")}`
}

export interface Fingerprints {
  /** What a refused call must not have changed: one hash for each table that names a store, but for `except`. */
  readonly of: (storeId: string) => Promise<ReadonlyArray<Record<string, unknown>>>
  readonly close: () => Promise<void>
}

/** Reads in a session of its own, as the owner of the tables. */
export const openFingerprints = async (
  shop: TestCommerce,
  except: ReadonlyArray<string> = []
): Promise<Fingerprints> => {
  const owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  const { rows } = await owner.query(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'store_id'
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`
  )
  const names = rows.map(({ name }) => String(name)).filter((name) => !except.includes(name))
  for (const name of ["product", "orders", "event", "stock", "metafield_value"])
    if (!names.includes(name)) throw new Error(`${name} is no table of a store`)
  // That a key was used is written by the process whenever a minute has passed, whatever became of the request.
  const rowOf = (name: string) => (name === "api_key" ? "(to_jsonb(t) - 'last_used_at')::text" : "t::text")
  const hashOf = (name: string, column: string) =>
    `SELECT '${name}' AS name, md5(coalesce(string_agg(${rowOf(name)}, '|' ORDER BY ${rowOf(name)}), '')) AS hash
      FROM "${name}" t WHERE ${column} = $1`
  const query = [hashOf("store", "id"), ...names.map((name) => hashOf(name, "store_id"))].join(" UNION ALL ")
  return { of: async (storeId) => (await owner.query(query, [storeId])).rows, close: () => owner.end() }
}

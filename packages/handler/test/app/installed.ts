/** An installed app, and how it calls the server. */
import { AppInstallations } from "@effect-commerce/core/app/AppInstallations"
import type { AppTier } from "@effect-commerce/core/app/AppInstallation"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import type { Called, CallOptions, TestCommerce, TestStore } from "../../src/testing/TestCommerce.ts"

const everyAppScope = ["mappings:read", "mappings:write", "config:write"] as const

export interface Installed {
  readonly id: string
  readonly token: string
  /** Calls a route below the installation by its token. */
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Called>
}

let installs = 0

export const installedAs = (shop: TestCommerce, { id, token }: { readonly id: string; readonly token: string }) => ({
  id,
  token,
  call: (method: string, path: string, options: CallOptions = {}) =>
    shop.call(method, `/v1/installations/${id}${path}`, { key: token, ...options })
})

/** By the API, with the store's admin key. */
export const install = async (
  shop: TestCommerce,
  {
    scopes = everyAppScope,
    at = shop,
    name = `App ${installs++}`
  }: {
    readonly scopes?: ReadonlyArray<string>
    readonly at?: TestStore
    readonly name?: string
  } = {}
): Promise<Installed> => {
  const made = await shop.call("POST", "/v1/installations", { key: at.apiKey, body: { name, scopes } })
  if (made.status !== 201) throw new Error(made.text)
  return installedAs(shop, made.body)
}

/** As the operator's command installs it, with any tier. */
export const installByHand = async (shop: TestCommerce, tier: AppTier): Promise<Installed> => {
  const work = Effect.gen(function* () {
    const store = yield* (yield* Stores).context(shop.storeId)
    return yield* (yield* AppInstallations).install(store, { name: `App ${installs++}`, scopes: everyAppScope }, tier)
  })
  return installedAs(shop, await shop.run(work as unknown as Effect.Effect<{ id: string; token: string }>))
}

export const product = (internalId: string, more: object = {}) => ({
  resourceType: "product",
  internalId,
  externalId: `ext-${internalId}`,
  platformCode: "SHOPIFY",
  ...more
})

import type { SalesChannel } from "@effect-commerce/core/store/SalesChannel"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { CurrentActor } from "@effect-commerce/core/store/Actor"
import { Effect } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import { AdminCaller, ChannelCaller, CustomerCaller, PublicCaller } from "../../src/middleware/Callers.ts"
import { adminAccess, asAdmin, asCustomer, onChannel, publicly } from "../../src/middleware/Surfaces.ts"

const store = { id: "store_1" } as StoreContext
const channel = { id: "ch_1", mode: "test" } as SalesChannel
type Needs<F extends (request: never) => unknown> = Effect.Services<ReturnType<F>>

describe("a handler", () => {
  it("gets the caller of its surface and the request, and needs that caller alone", async () => {
    const admin = asAdmin(({ store }, request: number) => Effect.succeed([store.id, request]))
    const anyone = publicly(({ store }, request: number) => Effect.succeed([store.id, request]))
    expectTypeOf<Needs<typeof admin>>().toEqualTypeOf<AdminCaller>()
    expectTypeOf<Needs<typeof anyone>>().toEqualTypeOf<PublicCaller>()
    const key = {
      keyId: "key_1",
      keyName: "erp",
      accountId: "acct_1",
      keyStoreId: null,
      scopes: [],
      store,
      person: null
    }
    expect(await Effect.runPromise(Effect.provideService(admin(1), AdminCaller, key))).toEqual(["store_1", 1])
    expect(await Effect.runPromise(Effect.provideService(anyone(2), PublicCaller, { store }))).toEqual(["store_1", 2])
  })

  it("does what it does as its caller", async () => {
    const who = asAdmin(() => Effect.service(CurrentActor))
    const key = { keyId: "key_1", keyName: "erp", accountId: "acct_1", keyStoreId: null, scopes: [], store }
    const ada = { id: "user_1", accountId: "acct_1", email: "ada@example.com", name: "Ada", role: "staff" as const }
    const session = { sessionId: "sess_1", createdAt: new Date(0), expiresAt: new Date(0) }
    const callers = [
      { ...key, person: null },
      { ...key, keyId: ada.id, keyName: "Ada", person: { ...ada, ...session } }
    ]
    const actors = callers.map((caller) => Effect.runSync(Effect.provideService(who(1), AdminCaller, caller)))
    expect(actors).toEqual([
      { type: "key", id: "key_1", name: "erp" },
      { type: "user", id: "user_1", name: "Ada" }
    ])
  })

  it("of a storefront reaches the carts of its channel, and of the customer who is signed in", async () => {
    const shopper = onChannel(({ access }) => Effect.succeed(access))
    const signedIn = asCustomer(({ access }) => Effect.succeed(access))
    expectTypeOf<Needs<typeof shopper>>().toEqualTypeOf<ChannelCaller>()
    expectTypeOf<Needs<typeof signedIn>>().toEqualTypeOf<CustomerCaller>()
    const customer = { id: "cus_1", email: "a@example.com" } as CustomerCaller["Service"]["customer"]
    const access = { salesChannelId: "ch_1", isStorefront: true, isTest: true, customerId: "cus_1" }
    const read = (of: ChannelCaller["Service"]) =>
      Effect.runPromise(Effect.provideService(shopper({}), ChannelCaller, of))
    expect(await read({ store, channel, customer: null })).toEqual({ ...access, customerId: null })
    expect(await read({ store, channel, customer })).toEqual(access)
    const caller = { store, channel, customer }
    expect(await Effect.runPromise(Effect.provideService(signedIn({}), CustomerCaller, caller))).toEqual(access)
  })

  it("of an admin key reaches every cart of the store", () => {
    expect(adminAccess).toEqual({ salesChannelId: null, isStorefront: false, isTest: false, customerId: null })
  })
})

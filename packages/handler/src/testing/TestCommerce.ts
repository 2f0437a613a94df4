/**
 * For tests of this project and of those built on it: a whole back end on a database of its own, with a store, a
 * test-mode sales channel and an admin key, called through `fetch` as any client would.
 */
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import type { KeyTier } from "@effect-commerce/core/identity/ApiKey"
import { keptMailbox } from "@effect-commerce/core/smtp/MailTransport"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { everyScope } from "@effect-commerce/core/identity/Scope"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import { type Commerce, type CommerceOptions, createCommerce, type DatabaseChoice } from "../createCommerce.ts"

export interface Called {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or undefined where the answer is something else. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any answer
  readonly body: any
  readonly text: string
}

export interface CallOptions {
  readonly body?: unknown
  /** Sent as it is, in place of a JSON body. */
  readonly raw?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
  /** The admin key; absent, the store's own; null, none. */
  readonly key?: string | null
  readonly clientAddress?: string
}

export interface TestStore {
  readonly storeId: string
  readonly accountId: string
  readonly channelId: string
  readonly apiKey: string
}

export interface TestCommerce extends TestStore {
  readonly commerce: Commerce
  readonly database: TestDatabase.TestDatabaseMethods
  /** Path below /api. Paths under /v1 have the admin key by default. */
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Called>
  /** Runs an effect with core's services. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, never>) => Promise<A>
  /** Another store, of another account unless one is named, with its own channel and key. */
  readonly openStore: (options?: { readonly accountId?: string; readonly currency?: string }) => Promise<TestStore>
  /** The same back end once more over the same database, as another process has it; closed with this one. */
  readonly openTwin: () => Promise<Commerce>
  readonly mintKey: (options: {
    readonly scopes: ReadonlyArray<string>
    readonly storeId?: string | null
    readonly tier?: KeyTier
  }) => Promise<string>
  readonly close: () => Promise<void>
}

/** Runs `effect` with everything a `Commerce` provides. */
export const runWith = <A, E>(commerce: Commerce, effect: Effect.Effect<A, E, never>): Promise<A> =>
  Effect.runPromise(
    Effect.provideContext(effect as Effect.Effect<A, E>, commerce.services as never) as Effect.Effect<A, E>
  )

const openStoreOn = async (
  commerce: Commerce,
  options: { readonly accountId?: string; readonly currency?: string } = {}
): Promise<TestStore> => {
  const make = Effect.gen(function* () {
    const stores = yield* Stores
    const channels = yield* SalesChannels
    const keys = yield* ApiKeys
    const store = yield* stores.create({
      name: "Test store",
      currency: options.currency ?? "USD",
      country: "US",
      accountId: options.accountId
    })
    const channel = yield* channels.create(store.id, { name: "Storefront" })
    const key = yield* keys.mint({
      accountId: store.accountId,
      storeId: store.id,
      name: "test",
      scopes: everyScope,
      tier: "ENTERPRISE"
    })
    return { storeId: store.id, accountId: store.accountId, channelId: channel.id, apiKey: key.key }
  })
  return runWith(commerce, make as unknown as Effect.Effect<TestStore>)
}

export interface TestCommerceOptions extends Partial<Omit<CommerceOptions, "database">> {
  /** How the instance reaches the database of the test; by default through a connection of its own. */
  readonly reach?: ((database: TestDatabase.TestDatabaseMethods) => Promise<DatabaseChoice>) | undefined
  /** The server of the database; by default that of the run. */
  readonly server?: TestDatabase.TestDatabaseOptions["server"]
}

export const openTestCommerce = async ({
  reach,
  server,
  ...options
}: TestCommerceOptions = {}): Promise<TestCommerce> => {
  const database = await TestDatabase.open({ server })
  const shared: Omit<CommerceOptions, "database"> = {
    secret: TestDatabase.testSecret,
    rateLimit: { perMinute: "off" },
    testClock: true,
    // A test that holds one request up means that and no other.
    storeTurns: false,
    // Kept as where no server is named, and not logged one by one.
    mail: { transport: keptMailbox("no-reply@localhost") },
    ...options,
    // A test waits for a thumbnail, however busy the machine is.
    media: {
      ...(options.media ?? { store: memoryObjectStore() }),
      limits: { thumbnailWaitMillis: 60_000, decodingMillis: 60_000, ...options.media?.limits }
    }
  }
  const reached = async () => (await reach?.(database)) ?? { connection: database.connection }
  const commerce = await createCommerce({ ...shared, database: await reached() })
  const twins: Array<Commerce> = []
  const own = await openStoreOn(commerce)

  const call = async (
    method: string,
    path: string,
    { body, raw, headers, key, clientAddress }: CallOptions = {}
  ): Promise<Called> => {
    const credential = key === undefined ? (path.startsWith("/v1/") ? own.apiKey : null) : key
    const request = new Request(`http://commerce.test/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
        ...headers
      },
      ...(raw === undefined ? (body === undefined ? {} : { body: JSON.stringify(body) }) : { body: raw })
    })
    const response = await commerce.fetch(request, { clientAddress: clientAddress ?? "127.0.0.1" })
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.includes("json") === true && text !== ""
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  return {
    ...own,
    commerce,
    database,
    call,
    run: (effect) => runWith(commerce, effect),
    openTwin: async () => {
      const { statementLog: _ofTheFirst, ...rest } = shared
      const twin = await createCommerce({ ...rest, database: await reached() })
      twins.push(twin)
      return twin
    },
    openStore: (storeOptions) => openStoreOn(commerce, storeOptions),
    mintKey: async ({ scopes, storeId, tier }) => {
      const input = {
        accountId: own.accountId,
        storeId: storeId === undefined ? own.storeId : storeId,
        name: "minted",
        scopes,
        tier: tier ?? "ENTERPRISE"
      }
      const minted = await runWith(
        commerce,
        Effect.flatMap(ApiKeys, (keys) => keys.mint(input)) as unknown as Effect.Effect<{ readonly key: string }>
      )
      return minted.key
    },
    close: async () => {
      await Promise.all(twins.map((twin) => twin.close()))
      await commerce.close()
      await database.close()
    }
  }
}

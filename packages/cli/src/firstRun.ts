/**
 * What `serve` does when it finds nothing: on an empty embedded database it sets up a store, and with `--demo` on any
 * empty database the demo store, filled. All of it is one transaction, so a first run that is cut short leaves nothing
 * behind, and of two servers that start at once the second waits. The pictures of the demo store follow
 * while the server runs.
 */
import { Products } from "@effect-commerce/core/product/Products"
import { Installations, type SetUp } from "@effect-commerce/core/team/Installations"
import { Stores } from "@effect-commerce/core/store/Stores"
import type { Commerce } from "@effect-commerce/handler"
import { type Context, Effect } from "effect"
import { settle } from "./openCore.ts"
import type { Settings } from "./Settings.ts"
import { setUp } from "./setUp.ts"

type CommerceServices = Commerce["services"] extends Context.Context<infer R> ? R : never

/** Runs an effect with the services of a running instance. Rejects with Refused. */
export const runIn = <A, E>(commerce: Commerce, effect: Effect.Effect<A, E, CommerceServices>): Promise<A> =>
  settle(Effect.provideContext(effect, commerce.services))

export interface FirstRun {
  /** What was set up; undefined where there was a store already. */
  readonly made: SetUp | undefined
  /** Why `--demo` filled nothing; undefined if the store is filled. */
  readonly notFilled: string | undefined
}

const demoName = "Demo store"
/** Its goods have names in both. */
const demoLanguages = ["en", "de"]

/** `say` prints what the start is waiting for. */
export const firstRun = (
  settings: Pick<Settings, "databaseUrl">,
  commerce: Commerce,
  { demo, say }: { readonly demo: boolean; readonly say: (line: string) => void }
) => {
  if (settings.databaseUrl !== undefined && !demo)
    return Promise.resolve<FirstRun>({ made: undefined, notFilled: undefined })
  const work = Effect.gen(function* () {
    const made = yield* begin(demo)
    const notFilled = demo ? yield* fill(say) : undefined
    return { made, notFilled }
  })
  return runIn<FirstRun, unknown>(
    commerce,
    Effect.flatMap(Installations, (installations) => installations.firstRun(work))
  )
}

/** The demo store if it is the only store: if there are others, no store is changed. */
const aloneDemo = Effect.gen(function* () {
  const {
    items: [store],
    total
  } = yield* (yield* Stores).first(1)
  return store?.name === demoName && total === 1 ? store : undefined
})

/** Draws the pictures of the demo store, or those that an earlier start has not drawn; returns how many. */
export const drawPictures = Effect.fnUntraced(function* (origin: string, mostPages?: number) {
  const store = yield* aloneDemo
  if (store === undefined) return 0
  const { pictureDemo } = yield* Effect.promise(() => import("./demo/pictureDemo.ts"))
  return yield* pictureDemo(store, origin, mostPages)
})

/**
 * Values of the demo store for the samples of the reference page; with a key if only this machine can reach the server.
 */
export const referenceOfDemo = Effect.fnUntraced(function* (options: { readonly withKey: boolean }) {
  const store = yield* aloneDemo
  if (store === undefined) return undefined
  const { demoReference } = yield* Effect.promise(() => import("./demo/demoReference.ts"))
  return yield* demoReference(store, options)
})

/** undefined if there is a store already, even one that `commerce init` has just created. */
const begin = Effect.fnUntraced(function* (demo: boolean) {
  if ((yield* (yield* Stores).first(1)).total > 0) return undefined
  const asked = { name: demo ? demoName : "My store", currency: "USD", country: "US" }
  return yield* setUp(asked).pipe(
    Effect.map(({ ownerPassword: _untold, ...made }) => made),
    Effect.catchTag("AlreadySetUp", () => Effect.undefined)
  )
})

/** A demo store without products was interrupted by an earlier version, which filled it in two steps. */
const fill = Effect.fnUntraced(function* (say: (line: string) => void) {
  const {
    items: [store],
    total: stores
  } = yield* (yield* Stores).first(1)
  if (store === undefined || store.name !== demoName)
    return (
      `--demo fills no store of yours: \`commerce seed --demo --store ` +
      `${store?.id ?? "store_…"}\` does, on another data directory it makes its own`
    )
  if (stores > 1) return undefined
  const first = { page: { page: 1, limit: 1 }, filter: {}, sortBy: "menuOrder", descending: false } as const
  const { total } = yield* (yield* Products).list(store, first)
  if (total > 0) return undefined
  const { demoStore } = yield* Effect.promise(() => import("./demo/demoStore.ts"))
  const { loadInto } = yield* Effect.promise(() => import("./seed.ts"))
  say("Filling the demo store …")
  yield* Effect.orDie((yield* Stores).update(store, { languages: demoLanguages }))
  yield* loadInto(undefined, demoStore)
  return undefined
})

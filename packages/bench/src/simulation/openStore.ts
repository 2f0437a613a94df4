/** The store of a history: its settings, its goods and a cart to buy. */
import type { CartAccess } from "@effect-commerce/core/cart/Carts"
import { Carts } from "@effect-commerce/core/cart/Carts"
import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import type { CoreServices } from "@effect-commerce/core/CommerceCore"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { seedProduct } from "@effect-commerce/core/testing/Factories"
import { Cause, Effect, type Exit } from "effect"
import type { Random } from "../proof/Random.ts"
import type { Company } from "./Company.ts"
import type { Planted } from "./history.ts"
import type { ShopProcess } from "./ShopProcess.ts"
import type { SimulatedShop } from "./SimulatedShop.ts"

export interface HistoryWorld {
  readonly shop: SimulatedShop
  readonly random: Random
  readonly companies: Map<string, Company>
  /** The ids of checkouts that were made. */
  readonly checkouts: Array<string>
  readonly note: (line: string) => void
  readonly count: (what: string) => void
  readonly violate: (what: string) => void
  /** A number of its own for each notice. */
  readonly eventIds: () => string
  isCalm: boolean
  isOldBeside: boolean
  isOver: boolean
  planted: Planted | undefined
  /** Whether a fault was thrown: then requests may fail with it. */
  hasThrown: boolean
}

export interface HistoryStore {
  readonly id: string
  readonly access: CartAccess
  readonly cartId: string
  readonly productId: string
  readonly stock: number
  readonly price: bigint
}

/** Runs something that must work, and waits for it. */
const runNow = async <A, E>(
  { shop }: HistoryWorld,
  process: ShopProcess,
  work: Effect.Effect<A, E, CoreServices>
): Promise<A> => {
  let ended: Exit.Exit<A, E> | undefined
  process.run(work, (exit) => {
    ended = exit
  })
  await shop.settle()
  if (ended === undefined) throw new Error("a step of the history does not end")
  if (ended._tag === "Success") return ended.value
  throw new Error(Cause.pretty(ended.cause))
}

const address = { line1: "1 Main St", city: "San Francisco", region: "CA", postalCode: "94105", country: "US" }

export const newCart = (store: StoreContext, access: CartAccess, productId: string) =>
  Effect.gen(function* () {
    const carts = yield* Carts
    const { id } = yield* carts.create(store, access, null)
    yield* carts.addLine(store, access, id, { productId, quantity: 1 })
    return id
  })

/** A checkout of the cart that could be completed. */
export const newCheckout = (store: StoreContext, access: CartAccess, cartId: string) =>
  Effect.gen(function* () {
    const checkouts = yield* Checkouts
    const { id } = yield* checkouts.create(store, access, { cartId })
    yield* checkouts.setCustomer(store, access, id, { email: "ada@example.com" })
    yield* checkouts.setShipping(store, access, id, { billingAddress: address })
    return id
  })

export const openStore = async (world: HistoryWorld): Promise<HistoryStore> => {
  const { random, shop } = world
  const process = shop.alive().find(({ isOld }) => !isOld)
  if (process === undefined) throw new Error("no process is alive")
  const stock = random.pick([1, 2, 5, 9])
  const price = BigInt(random.between(300, 9_999))
  const isTest = random.chance(0.5)
  const made = await runNow(
    world,
    process,
    Effect.gen(function* () {
      const store = yield* (yield* Stores).create({ name: "Shop", currency: "USD", country: "US" })
      const channel = yield* (yield* SalesChannels).create(store.id, {
        name: "Storefront",
        mode: isTest ? "test" : "live"
      })
      const productId = yield* seedProduct(store.id, { price, stock, isDownloadable: true })
      return { store, channelId: channel.id, productId }
    })
  )
  const settings = {
    lateCapture: random.pick(["create_order", "refund"]),
    strategy: random.pick(["ON_PAYMENT", "ON_PAYMENT", "ON_CART"]),
    lifetime: random.pick([60, 300, 1_440])
  }
  world.note(`a store with ${stock} units at ${price}: ${JSON.stringify(settings)}`)
  await shop.query(
    `UPDATE store SET late_capture = $2, reservation_strategy = $3, checkout_lifetime_minutes = $4,
      rules_version = rules_version + 1 WHERE id = $1`,
    [made.store.id, settings.lateCapture, settings.strategy, settings.lifetime]
  )
  const access: CartAccess = { salesChannelId: made.channelId, isStorefront: true, isTest, customerId: null }
  const cartId = await runNow(
    world,
    process,
    Effect.gen(function* () {
      const store = yield* (yield* Stores).fresh(made.store)
      const id = yield* newCart(store, access, made.productId)
      world.checkouts.push(yield* newCheckout(store, access, id))
      return id
    })
  )
  return { id: made.store.id, access, cartId, productId: made.productId, stock, price }
}

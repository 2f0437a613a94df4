/**
 * Shoppers who never stop: each fills carts, leaves some standing, and completes the others under a key of its own, on
 * any server, with a journal kept around every completion. Carts that were not completed are left behind, as people do.
 */
import type { Random } from "./Random.ts"
import { type Answer, NoAnswer, sleep } from "./Client.ts"
import { enterDiscounts } from "./discounts.ts"
import type { Slot } from "./Installation.ts"
import type { Product, Shop } from "./Shops.ts"
import type { Journal, Known } from "./Journal.ts"
import { complete, Cut, drawLines, fillCart, prepare, verdictOf } from "./Purchase.ts"

export interface Load {
  readonly shop: Shop
  readonly slots: ReadonlyArray<Slot>
  readonly products: ReadonlyArray<Product>
  readonly journal: Journal
  /** Names keys apart from those of other rounds. */
  readonly round: number
  readonly random: Random
  readonly shoppers: number
  /** Bodies of completions, by turns: ways to pay. */
  readonly payments: ReadonlyArray<object>
  /** Sees every answer to whatever was asked, and each that did not come. */
  readonly see?: (answer: Answer | NoAnswer, step: string) => void
}

export interface Running {
  /** Resolves when every shopper has heard the answer to the last request, or that there is none. */
  readonly stop: () => Promise<void>
}

const abandoned = 0.25
/** Of completions: with a coupon and a gift card. */
const discounted = 0.4
/** Milliseconds after which a rejected shopper tries again. */
const patience = 10

const keyOf = (round: number, shopper: number, purchase: number): string => `r${round}-s${shopper}-p${purchase}`

/** The outcome of a completion, as the journal records it. */
export const knownOf = (answer: Answer): Known => {
  const what = verdictOf(answer)
  return {
    what,
    status: answer.status,
    ...(what === "ok"
      ? {
          orderId: String(answer.body.orderId),
          orderNumber: String(answer.body.orderNumber),
          bytes: answer.bytes.toString("base64")
        }
      : { code: String(answer.body?.code) })
  }
}

/** Keys name the way of paying too, so that a retry sends the same body. */
export const paymentOf = (payments: ReadonlyArray<object>, key: string): object =>
  payments[Number(/\d+$/.exec(key)?.[0] ?? 0) % payments.length] ?? {}

export const startShoppers = (load: Load): Running => {
  let stopping = false
  const { shop, slots, products, journal, round, payments } = load
  const see = load.see ?? (() => undefined)

  const shopper = async (number: number): Promise<void> => {
    const random = load.random.branch(number)
    const where = (): number => random.pick(slots).port
    for (let purchase = 0; !stopping; purchase++) {
      const lines = drawLines(random, products)
      const stands = random.chance(abandoned)
      try {
        if (stands) {
          await fillCart(shop, where, lines)
          continue
        }
        const { checkoutId } = await prepare(shop, where, lines)
        if (random.chance(discounted)) await enterDiscounts(shop, where, checkoutId)
        const key = keyOf(round, number, purchase)
        journal.intend({ checkoutId, key, lines })
        const answer = await complete(shop, where(), checkoutId, key, paymentOf(payments, key)).catch(
          (error: unknown) => {
            if (!(error instanceof NoAnswer)) throw error
            journal.hear(key, { what: "unknown", status: null, code: error.code })
            throw error
          }
        )
        journal.hear(key, knownOf(answer))
        see(answer, "complete")
      } catch (error) {
        if (error instanceof Cut) see(error.answer, error.step)
        else if (error instanceof NoAnswer) see(error, "")
        else throw error
        await sleep(patience)
      }
    }
  }

  const all = Promise.all(Array.from({ length: load.shoppers }, (_, number) => shopper(number)))
  // The error is reported where the promise is awaited.
  all.catch(() => undefined)
  return {
    stop: async () => {
      stopping = true
      await all
    }
  }
}

/**
 * Ways through the code that sells, for planting faults in: each is one purchase up to the request that may fail, what settles it when it is sent again,
 * and how the shopper comes to an order in the end. A product that takes no cards has the first alone.
 */
import { type Answer, NoAnswer, send } from "./Client.ts"
import type { Shop } from "./Installation.ts"
import { complete } from "./Purchase.ts"
import { byCard, byHand } from "./waysToPay.ts"

export interface Buying {
  readonly shop: Shop
  readonly port: number
  readonly checkoutId: string
  readonly key: string
}

export interface Way {
  readonly name: string
  /** Before anything is planted. */
  readonly begin?: (buying: Buying) => Promise<void>
  /** The request that may fail; undefined where no answer came. */
  readonly act: (buying: Buying) => Promise<Answer | undefined>
  /** The status that it has when nothing fails, and that the same request has in the end. */
  readonly settled: number
  /** What is completed with, under another key, where `settled` is no order yet. */
  readonly body: object
  /** Whether `act` completes, under the key: then a 500 is kept for that key. */
  readonly isKeyed: boolean
}

/** undefined where none came. */
export const heard = async (asking: Promise<Answer>): Promise<Answer | undefined> =>
  asking.catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined
    throw error
  })

const completing =
  (body: object) =>
  ({ shop, port, checkoutId, key }: Buying): Promise<Answer | undefined> =>
    heard(complete(shop, port, checkoutId, key, body))

const cardThat = (paymentReference: string) => ({ paymentMethod: "test", paymentReference })

export const cashWays: ReadonlyArray<Way> = [{ name: "by-hand", act: completing(byHand), settled: 200, body: byHand, isKeyed: true }]

export const cardWays: ReadonlyArray<Way> = [
  { name: "by-card", act: completing(byCard), settled: 200, body: byCard, isKeyed: true },
  { name: "declined", act: completing(cardThat("decline")), settled: 422, body: byHand, isKeyed: true },
  {
    name: "told-later",
    begin: async ({ shop, port, checkoutId, key }) => {
      await heard(complete(shop, port, checkoutId, `${key}-unanswered`, cardThat("timeout")))
    },
    act: ({ port, checkoutId }) => heard(send(port, "POST", "/test/provider-events", { body: { checkoutId, type: "captured" } })),
    settled: 200,
    body: byHand,
    isKeyed: false
  }
]

/**
 * Ways through the code that sells, for planting faults in: each is one purchase up to the requests that may fail, what
 * settles it when it is sent again, and how it ends. A product that takes no cards has the first alone.
 */
import { type Answer, NoAnswer, send, sleep, until } from "./Client.ts"
import { heldUnits } from "./books.ts"
import { enterDiscounts } from "./discounts.ts"
import type { Installation, Slot } from "./Installation.ts"
import { complete, prepare } from "./Purchase.ts"
import type { Shop } from "./Shops.ts"
import { byCard, byHand } from "./waysToPay.ts"

export interface Buying {
  readonly installation: Installation
  readonly shop: Shop
  readonly slot: Slot
  readonly checkoutId: string
  readonly productId: string
  readonly key: string
  /** Completes under a key, with the journal kept around it; undefined where no answer came. */
  readonly complete: (key: string, body: object) => Promise<Answer | undefined>
}

/** How a purchase ends: with one order; or with none, because the shop gives late money back. */
export type Ending = "order" | "refund"

export interface Way {
  readonly name: string
  /** Of the goods it buys: one unit, which somebody else may take; any number unless told. */
  readonly scarce?: true
  /** Before anything is planted. */
  readonly begin?: (buying: Buying) => Promise<void>
  /** The requests that may fail, all at once; undefined where no answer came. */
  readonly act: (buying: Buying) => Promise<ReadonlyArray<Answer | undefined>>
  /** The request that is sent until it is settled. */
  readonly again: (buying: Buying) => Promise<Answer | undefined>
  /** The status that it has when nothing fails, and in the end. */
  readonly settled: number
  /** What is completed with, under another key, where `settled` is no order yet. */
  readonly body: object
  /** Whether `again` completes, under the key: then a 500 is kept for that key. */
  readonly isKeyed: boolean
  readonly ending: Ending
}

/** undefined where none came. */
export const heard = async (asking: Promise<Answer>): Promise<Answer | undefined> =>
  asking.catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined
    throw error
  })

const day = 24 * 3_600_000
const cardThat = (paymentReference: string) => ({ paymentMethod: "test", paymentReference })

const completing = (name: string, body: object, settled: number, next: object = body): Way => {
  const again = (buying: Buying) => buying.complete(buying.key, body)
  return {
    name,
    act: async (buying) => [await again(buying)],
    again,
    settled,
    body: next,
    isKeyed: true,
    ending: "order"
  }
}

const tell = ({ slot, checkoutId }: Buying): Promise<Answer | undefined> =>
  heard(send(slot.port, "POST", "/test/provider-events", { body: { checkoutId, type: "captured" } }))

/** The provider does not answer; what it did is told later. */
const unanswered = async ({ key, complete }: Buying): Promise<void> => {
  await complete(`${key}-unanswered`, cardThat("timeout"))
}

const told = (name: string, ending: Ending, begin: Required<Way>["begin"]): Way => ({
  name,
  begin,
  act: async (buying) => [await tell(buying)],
  again: tell,
  settled: 200,
  body: byHand,
  isKeyed: false,
  ending
})

/** A day later the checkout has expired, and recovery no longer asks for its outcome. */
const expired = async (buying: Buying): Promise<void> => {
  await unanswered(buying)
  const { installation, slot, shop, checkoutId } = buying
  await installation.advance([slot], day + 60_000)
  const open = "SELECT 1 FROM provider_operation WHERE store_id = $1 AND subject_id = $2 AND state = 'calling'"
  if (!(await until(5_000, async () => (await installation.query(open, [shop.storeId, checkoutId])).length === 0)))
    throw new Error("a payment that is never answered is not given up")
}

/** What was held is given back, and somebody else buys it. */
const overtaken = async (buying: Buying): Promise<void> => {
  await unanswered(buying)
  const { installation, slot, shop, productId } = buying
  await installation.advance([slot], 16 * 60_000)
  if (!(await until(5_000, async () => (await heldUnits(installation, shop)) === 0)))
    throw new Error("units are still held after 16 minutes")
  const other = await prepare(shop, () => slot.port, [{ productId, quantity: 1 }])
  const { status } = await complete(shop, slot.port, other.checkoutId, `${buying.key}-overtakes`)
  if (status !== 200) throw new Error(`the last unit could not be bought by somebody else: ${status}`)
}

/**
 * The same charge is told of while it is being answered. The provider knows of it only some time after it was asked,
 * or, where that failed, never.
 */
const tellSoon = async (buying: Buying): Promise<ReadonlyArray<Answer | undefined>> => {
  for (let i = 0; i < 40; i++) {
    const answer = await tell(buying)
    if (answer?.status !== 400) return [answer]
    await sleep(3)
  }
  return []
}

const byCardAnd = (name: string, other: (buying: Buying) => Promise<ReadonlyArray<Answer | undefined>>): Way => ({
  ...completing(name, byCard, 200),
  act: async (buying) => (await Promise.all([byCardWay.act(buying), other(buying)])).flat()
})

const byCardWay = completing("by-card", byCard, 200)

/** The charge exists before the shopper pays. */
const beginPayment = ({ slot, shop, checkoutId }: Buying): Promise<Answer | undefined> =>
  heard(
    send(slot.port, "POST", `/vc/${shop.channelId}/checkout/${checkoutId}/payment`, { body: { providerId: "test" } })
  )

/** The shopper begins at the provider and then pays by a card after all: the same charge goes on. */
const begun: Way = {
  name: "begun",
  act: async (buying) => [await beginPayment(buying)],
  again: beginPayment,
  settled: 200,
  body: byCard,
  isKeyed: false,
  ending: "order"
}

/** The money is taken, the answer and every notice of it are lost: the worker finds out. */
const nobodyTells: Way = {
  name: "nobody-tells",
  begin: async ({ key, complete }) => void (await complete(`${key}-lost`, cardThat("lost"))),
  act: async ({ installation, slot, shop, checkoutId }) => {
    await installation.advance([slot], 6_000)
    const order = "SELECT 1 FROM orders WHERE store_id = $1 AND checkout_id = $2"
    await until(
      3_000,
      async () =>
        slot.server?.isAlive() !== true ||
        slot.server.metBy() !== undefined ||
        (await installation.query(order, [shop.storeId, checkoutId])).length > 0
    )
    return []
  },
  again: ({ key, complete }) => complete(`${key}-found`, byHand),
  settled: 200,
  body: byHand,
  isKeyed: false,
  ending: "order"
}

/** With claims: a coupon, a rule, and a gift card that pays a part. */
const withDiscounts = (way: Way): Way => ({
  ...way,
  name: `${way.name}-with-discounts`,
  begin: async (buying) => {
    const { shop, slot, checkoutId } = buying
    await enterDiscounts(shop, () => slot.port, checkoutId)
    await way.begin?.(buying)
  }
})

const byHandWay = completing("by-hand", byHand, 200)

export const cashWays: ReadonlyArray<Way> = [byHandWay, withDiscounts(byHandWay)]

export const cardWays: ReadonlyArray<Way> = [
  byCardWay,
  completing("declined", cardThat("decline"), 422, byHand),
  completing("failed", cardThat("error"), 500, byCard),
  completing("left-open", cardThat("pending"), 200),
  told("told-later", "order", unanswered),
  told("told-a-day-later", "order", expired),
  told("told-when-unwanted", "refund", expired),
  { ...told("told-when-sold-out", "order", overtaken), scarce: true },
  begun,
  told("begun-and-told", "order", async (buying) => void (await beginPayment(buying))),
  nobodyTells,
  byCardAnd("its-twin", async ({ key, complete }) => [await complete(key, byCard)]),
  byCardAnd("a-second-key", async ({ key, complete }) => [await complete(`${key}-second`, byCard)]),
  byCardAnd("by-hand-at-once", async ({ key, complete }) => [await complete(`${key}-second`, byHand)]),
  byCardAnd("told-meanwhile", tellSoon),
  withDiscounts(byCardWay),
  withDiscounts(told("told-a-day-later", "order", expired)),
  withDiscounts(told("told-when-unwanted", "refund", expired))
]

/** Far more buyers than units, all at once, through two processes: exactly the units there are get sold. */
import { auditBooks, auditJournal } from "./books.ts"
import { eachOf, NoAnswer, send } from "./Client.ts"
import { knownOf } from "./clients.ts"
import { checkCounter, checkRealTime, checkSet, checkUnique } from "./History.ts"
import { admin, complete, furnish, prepare, type Ready } from "./Purchase.ts"
import { historyOf, openJournal } from "./Journal.ts"
import type { Outcome, Run } from "./Scenario.ts"
import { join } from "node:path"

export interface OversellSize {
  readonly buyers: number
  readonly units: number
}

const preparedAtOnce = 24
/** Milliseconds between two visits to the shop beside. */
const visitsEvery = 300

/** Another shop that is asked through each process until it is left; answers how often it was not answered well. */
const visit = (paths: ReadonlyArray<readonly [port: number, path: string]>) => {
  const statuses: Array<Promise<number>> = []
  const timer = setInterval(() => {
    for (const [port, path] of paths)
      statuses.push(
        send(port, "GET", path).then(
          ({ status }) => status,
          () => 0
        )
      )
  }, visitsEvery)
  return async (): Promise<number> => {
    clearInterval(timer)
    return (await Promise.all(statuses)).filter((status) => status !== 200).length
  }
}
const refusals = new Set(["INSUFFICIENT_STOCK", "OUT_OF_STOCK"])

export const proveOversell = async ({ installation, note }: Run, { buyers, units }: OversellSize): Promise<Outcome> => {
  const shop = await installation.openShop()
  const [product] = await installation.stock(shop, 1, units)
  if (product === undefined) throw new Error("no product was made")
  const slots = await installation.openSlots(2)
  await Promise.all(slots.map((slot) => installation.start(slot)))
  const portOf = (buyer: number): number => slots[buyer % slots.length]?.port ?? 0
  await furnish(shop, portOf(0))
  const lines = [{ productId: product.id, quantity: 1 }]
  note(`${buyers} buyers fill their carts`)
  const ready: ReadonlyArray<Ready> = await eachOf(Array.from({ length: buyers }), preparedAtOnce, (_, buyer) =>
    prepare(shop, () => portOf(buyer), lines)
  )

  const beside = await installation.openShop()
  const leave = visit(slots.map(({ port }) => [port, `/vc/${beside.channelId}/products`]))
  note("and buy, all at once, beside another shop")
  const journal = openJournal(join(installation.folder, "oversell.journal"))
  const began = performance.now()
  const answers = await Promise.all(
    ready.map(async ({ checkoutId }, buyer) => {
      const key = `buyer-${buyer}`
      journal.intend({ checkoutId, key, lines })
      const answer = await complete(shop, portOf(buyer), checkoutId, key).catch((error: unknown) => {
        if (error instanceof NoAnswer) return undefined
        throw error
      })
      if (answer !== undefined) journal.hear(key, knownOf(answer))
      return answer
    })
  )
  const seconds = (performance.now() - began) / 1_000
  const unserved = await leave()
  const entries = journal.read()
  journal.close()

  const sold = answers.filter((answer) => answer?.status === 200)
  const refused = answers.filter(
    (answer) => (answer?.status === 400 || answer?.status === 409) && refusals.has(answer.body?.code)
  )
  const broken = answers.filter((answer) => answer === undefined || answer.status >= 500)
  const [level] = await installation.query("SELECT total, reserved FROM stock WHERE store_id = $1 AND key = $2", [
    shop.storeId,
    product.id
  ])
  const [events] = await installation.query(
    "SELECT count(*)::int AS n FROM event WHERE store_id = $1 AND type = 'order.created'",
    [shop.storeId]
  )
  const orders = await installation.query("SELECT id FROM orders WHERE store_id = $1", [shop.storeId])
  const history = historyOf(entries)
  const ids = sold.map((answer) => String(answer?.body.orderId))
  const unread = await eachOf(ids, preparedAtOnce, async (id, i) => {
    const { status } = await admin(shop, portOf(i + 1), "GET", `/orders/${id}`)
    return status === 200 ? [] : [`${id} is answered with ${status} by the other process`]
  })
  const expected = (what: string, is: number, must: number): ReadonlyArray<string> =>
    is === must ? [] : [`${what}: ${is}, must be ${must}`]
  const taken = Math.min(buyers, units)
  return {
    counts: {
      buyers,
      units,
      sold: sold.length,
      refused: refused.length,
      serverErrors: broken.length,
      seconds: Math.round(seconds * 10) / 10
    },
    latencies: answers.flatMap((answer) => (answer === undefined ? [] : [answer.millis])),
    violations: [
      ...expected("orders acknowledged", sold.length, taken),
      ...expected("clean refusals", refused.length, buyers - taken),
      ...expected("5xx or no answer", broken.length, 0),
      ...expected("visits to the other shop that were not served", unserved, 0),
      ...expected("units left", Number(level?.["total"]), units - taken),
      ...expected("units reserved", Number(level?.["reserved"]), 0),
      ...expected("order.created", Number(events?.["n"]), taken),
      ...checkCounter(history, new Map([[product.id, units]])),
      ...checkSet(ids, new Set(ids), new Set(orders.map((row) => String(row["id"])))),
      ...checkUnique(history),
      ...checkRealTime(history),
      ...unread.flat(),
      ...(await auditBooks(installation, shop)),
      ...(await auditJournal(installation, shop, entries))
    ]
  }
}

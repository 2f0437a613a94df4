/**
 * Processes are killed while they send mails. Every buyer whose order was committed gets a mail; a mail that arrives
 * twice has the same Message-ID; in the end the queue is empty and every mail is SENT.
 */
import { eachOf, NoAnswer, sleep, until } from "./Client.ts"
import type { Installation, Slot } from "./Installation.ts"
import { type MailSink, openMailSink } from "./MailSink.ts"
import { admin } from "./Purchase.ts"
import type { Outcome, Run } from "./Scenario.ts"
import type { Product, Shop } from "./Shops.ts"

export interface MailLossSize {
  readonly rounds: number
  /** Orders that are placed in a round, while processes are killed. */
  readonly orders: number
  /** Where the servers send their mails; opened here, and named to them, where none is given. */
  readonly sink?: MailSink
}

const slowest = 30
const atOnce = 4
const leaseMillis = 31_000
const soon = 1_000

/** Places orders, each for an address of its own; answers the addresses whose orders were acknowledged. */
const placeOrders = async (
  shop: Shop,
  port: (turn: number) => number,
  product: Product,
  emails: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const placed = await eachOf(emails, atOnce, async (email, turn) => {
    const order = { customer: { email, name: "Ada" }, items: [{ productId: product.id, quantity: 1 }] }
    const answer = await admin(shop, port(turn), "POST", "/orders", order).catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined
      throw error
    })
    return answer?.status === 201 ? [email] : []
  })
  return placed.flat()
}

/**
 * Lets time go by until every event is relayed and no mail waits. False where that is not so after `millis` of real
 * time.
 */
const drain = async (
  { query, advance, now }: Installation,
  shop: Shop,
  slots: ReadonlyArray<Slot>,
  millis: number
): Promise<boolean> => {
  const end = performance.now() + millis
  while (performance.now() < end) {
    const [row] = await query(
      `SELECT (SELECT count(*) FROM event WHERE store_id = $1 AND relayed_at IS NULL)::int AS unheard, count(*)::int AS
        queued,
        count(*) FILTER (WHERE attempts = 0)::int AS fresh, (extract(epoch FROM min(due_at)) * 1000)::float8 AS next
      FROM email_message WHERE store_id = $1 AND status = 'QUEUED'`,
      [shop.storeId]
    )
    const { unheard, queued, fresh, next } = row as Readonly<Record<"unheard" | "queued" | "fresh" | "next", number>>
    if (unheard === 0 && queued === 0) return true
    if (unheard === 0 && fresh === 0 && next > now() + soon) await advance(slots, Math.ceil(next - now()))
    await sleep(50)
  }
  return false
}

export const proveMailLoss = async (
  { installation, random, note }: Run,
  { rounds, orders, sink: given }: MailLossSize
): Promise<Outcome> => {
  const sink = given ?? (await openMailSink())
  const start = (slot: Slot) => installation.start(slot, { env: { COMMERCE_SMTP_URL: sink.url } })
  const shop = await installation.openShop()
  const [product] = await installation.stock(shop, 1, rounds * orders)
  const slots = await installation.openSlots(2)
  await Promise.all(slots.map(start))
  if (product === undefined) throw new Error("no product was made")
  const chance = random.branch(0)
  sink.meet = () => (chance.chance(0.05) ? "later" : chance.between(0, slowest))
  await admin(shop, slots[0]?.port ?? 0, "PUT", "/email/settings", { hourlyRateLimit: 1_000 })
  const violations: Array<string> = []
  const acknowledged: Array<string> = []
  let kills = 0

  for (let round = 1; round <= rounds && violations.length < 10; round++) {
    const before = sink.arrivals.length
    const emails = Array.from({ length: orders }, (_, i) => `shopper-${round}-${i}@example.com`)
    const placing = placeOrders(shop, (turn) => slots[turn % slots.length]?.port ?? 0, product, emails)
    const wanted = random.between(1, Math.ceil(orders / 2))
    await until(5_000, async () => sink.arrivals.length - before >= wanted)
    await sleep(random.between(0, slowest))
    const victims = random.pick([[0], [1], [0, 1]]).flatMap((index) => slots[index] ?? [])
    await Promise.all(victims.map((slot) => slot.server?.kill()))
    kills += victims.length
    acknowledged.push(...(await placing))
    await Promise.all(victims.map(start))
    await installation.advance(slots, leaseMillis)
    if (!(await drain(installation, shop, slots, 60_000)))
      violations.push(`round ${round}: mails still waited after 60 s`)
    note(`round ${round} of ${rounds}: ${sink.arrivals.length - before} mails arrived`)
  }

  const rows = await installation.query("SELECT to_address, status FROM email_message WHERE store_id = $1", [
    shop.storeId
  ])
  const committed = await installation.query("SELECT email FROM orders WHERE store_id = $1", [shop.storeId])
  const ids = Map.groupBy(sink.arrivals, ({ to }) => to)
  const lost = committed.map((order) => String(order["email"])).filter((email) => !ids.has(email))
  const differing = [...ids].filter(([, arrivals]) => new Set(arrivals.map(({ messageId }) => messageId)).size > 1)
  const unsent = rows.filter((row) => row["status"] !== "SENT")
  if (committed.length < acknowledged.length)
    violations.push(`${acknowledged.length} orders were acknowledged and ${committed.length} are there`)
  violations.push(
    ...lost.slice(0, 3).map((email) => `the order of ${email} was committed and not confirmed (${lost.length} in all)`),
    ...differing
      .slice(0, 3)
      .map(([email]) => `${email} got two different mails for one order (${differing.length} in all)`),
    ...unsent
      .slice(0, 3)
      .map((row) => `the mail to ${String(row["to_address"])} is ${String(row["status"])} (${unsent.length} in all)`)
  )
  if (given === undefined) await sink.close()
  const arrivedTwice = [...ids.values()].filter((arrivals) => arrivals.length > 1).length
  return {
    counts: { rounds, kills, orders: committed.length, mails: rows.length, arrived: ids.size, arrivedTwice },
    latencies: [],
    violations
  }
}

/** What must hold once the world has come to rest, by the companies' books and by the shop's. */
import { laws } from "@effect-commerce/core/CommerceRooms"
import { questionOf } from "@effect-commerce/core/audit/Law"
import { type BookedCharge, isOver, refundedOf } from "./CompanyBooks.ts"
import type { HistoryStore, HistoryWorld } from "./openStore.ts"

const [minute, day] = [60_000, 86_400_000]
/** By then everything has its end: money is reserved for a week, disputes are decided, what never came is given up. */
const longest = 45 * day
const mostRounds = 600

const number = (value: unknown): number => Number(value ?? Number.NaN)

/** When the shop looks at something of the store next: also at what needs a person, which may settle by itself. */
const nextCheck = async ({ shop }: HistoryWorld, store: HistoryStore): Promise<number | undefined> => {
  const [row] = await shop.query(
    `SELECT extract(epoch FROM least(
        (SELECT min(check_at) FROM provider_operation WHERE store_id = $1),
        (SELECT min(check_at) FROM provider_notice WHERE state = 'open'),
        (SELECT min(expires_at) FROM reservation WHERE store_id = $1))) * 1000 AS at`,
    [store.id]
  )
  return row?.["at"] === null || row?.["at"] === undefined ? undefined : Math.ceil(number(row["at"]))
}

/** Nothing goes wrong any more: time passes, with the workers, until nothing is left to do. */
export const comeToRest = async (world: HistoryWorld, store: HistoryStore): Promise<void> => {
  const { shop, companies } = world
  const { time } = shop
  world.note("the world comes to rest")
  world.isCalm = true
  world.planted = undefined
  world.isOldBeside = false
  for (const company of companies.values()) company.speak()
  await shop.startAll(false)
  await shop.pass(minute)
  const until = time.now() + longest
  for (let round = 0; round < mostRounds; round++) {
    shop.work(world.random.pick(shop.alive()))
    await shop.settle()
    await shop.pass(300)
    const check = await nextCheck(world, store)
    const event = time.next()
    const next = Math.min(check ?? Number.POSITIVE_INFINITY, event ?? Number.POSITIVE_INFINITY)
    if (next > until) return
    await shop.pass(Math.max(1, next - time.now()))
  }
  world.violate(`the world does not come to rest in ${mostRounds} rounds`)
}

interface PaymentRow {
  readonly reference: string
  readonly captured: bigint
  readonly refunded: bigint
  readonly surplus: bigint
}

const sumsOf = async ({ shop }: HistoryWorld, store: HistoryStore) => {
  const rows = await shop.query(
    `SELECT p.reference, p.captured, p.refunded, p.surplus FROM payment p WHERE p.store_id = $1
      AND p.provider LIKE 'sim-%'`,
    [store.id]
  )
  return new Map(
    rows.map((row): [string, PaymentRow] => [
      String(row["reference"]),
      {
        reference: String(row["reference"]),
        captured: BigInt(String(row["captured"])),
        refunded: BigInt(String(row["refunded"])),
        surplus: BigInt(String(row["surplus"]))
      }
    ])
  )
}

/** A charge is an order's, to the minor unit; or nobody's, and then nothing of it is kept. */
const chargeProblem = (charge: BookedCharge, payment: PaymentRow | undefined): string | undefined => {
  const refunded = refundedOf(charge, "succeeded")
  const books = `captured ${charge.captured}, refunded ${refunded}`
  if (payment !== undefined)
    return payment.captured + payment.surplus === charge.captured &&
      payment.refunded === (refunded > payment.surplus ? refunded - payment.surplus : 0n)
      ? undefined
      : `the company has ${books}, its order captured ${payment.captured}, refunded ${payment.refunded}`
  if (charge.captured > refunded) return `nobody's order, and the company has ${books}`
  return charge.captured > 0n || isOver(charge) ? undefined : `nobody's order, and it is ${charge.state}`
}

/**
 * A person is rightly asked for where refunds fail again and again; and where the request for one was lost and could
 * not be repeated in time: its key may mean nothing to the company any more, so the shop never asks again.
 */
const needsPerson = (charge: BookedCharge): boolean => {
  const ours = charge.refunds.filter(({ key }) => key !== null)
  return ours.length === 0 || ours.filter(({ status }) => status === "failed").length >= 3
}

/** What the shop asks a person for is done: the money that nobody wants is given back by hand. Returns whether it was. */
export const personActs = async (world: HistoryWorld, store: HistoryStore): Promise<boolean> => {
  const rows = await world.shop.query(
    "SELECT DISTINCT external_id FROM provider_operation WHERE store_id = $1 AND attention IS NOT NULL",
    [store.id]
  )
  let hasActed = false
  for (const row of rows)
    for (const company of world.companies.values()) {
      const charge = company.books.find({ key: null, externalId: String(row["external_id"]) })
      if (charge === undefined || !needsPerson(charge) || !company.giveBack(charge)) continue
      world.count("given back by hand")
      hasActed = true
    }
  return hasActed
}

export const whatDoesNotHold = async (world: HistoryWorld, store: HistoryStore): Promise<ReadonlyArray<string>> => {
  const { shop, companies } = world
  const found: Array<string> = []
  const payments = await sumsOf(world, store)
  const charges = [...companies.values()].flatMap(({ books }) => books.charges())
  const operations = await shop.query(
    `SELECT id, kind, state, external_id, attention, error, check_at FROM provider_operation WHERE store_id = $1`,
    [store.id]
  )
  for (const charge of charges) {
    world.count("charges")
    const problem = chargeProblem(charge, payments.get(charge.id))
    if (problem !== undefined) found.push(`${charge.id} (${charge.key.slice(-6)}): ${problem}`)
  }
  const known = new Set(charges.map(({ id }) => id))
  for (const reference of payments.keys())
    if (!known.has(reference)) found.push(`an order's charge ${reference} is not in the company's books`)
  for (const company of companies.values())
    for (const twice of company.books.twice()) found.push(`${company.kind.code} did ${twice} twice`)
  for (const row of operations) {
    const what = `${row["kind"]} ${row["id"]} of ${row["external_id"]} is ${row["state"]}`
    const isOpen = ["calling", "awaiting_shopper", "pending", "refund_due"].includes(String(row["state"]))
    if (isOpen && row["check_at"] === null && row["attention"] === null) found.push(`${what} and nobody watches it`)
    if (row["attention"] !== null) found.push(`${what} and needs a person: ${row["attention"]}`)
    else if (isOpen) found.push(`${what} at the end: ${row["error"]}`)
  }
  for (const law of laws)
    for (const row of await shop.query(questionOf(law), [store.id]))
      found.push(`${law.law}: ${row["id"]} expected ${row["expected"]}, found ${row["found"]}`)
  return [
    ...found,
    ...(await eventsTwice(world, store)),
    ...(await heldStill(world, store)),
    ...(await noticesOpen(world))
  ]
}

const eventsTwice = async ({ shop }: HistoryWorld, store: HistoryStore) =>
  (
    await shop.query(
      `SELECT type, coalesce(data->>'orderId', data->>'paymentId') AS of, count(*) AS n FROM event
        WHERE store_id = $1 AND type IN ('order.created', 'order.paid') GROUP BY 1, 2 HAVING count(*) > 1`,
      [store.id]
    )
  ).map((row) => `${row["type"]} of ${row["of"]} was announced ${row["n"]} times`)

/** Units are held for a cart at most: every payment has its end. */
const heldStill = async ({ shop }: HistoryWorld, store: HistoryStore) =>
  (await shop.query("SELECT holder_id, quantity FROM reservation WHERE store_id = $1", [store.id])).map(
    (row) => `${row["quantity"]} units are held for ${row["holder_id"]}`
  )

/** Also lets go of what this history leaves to the next one of the same database. */
const noticesOpen = async ({ shop }: HistoryWorld) => {
  const open = await shop.query(
    "SELECT provider_id, event_id, state, reason FROM provider_notice WHERE state IN ('open', 'set_aside')",
    []
  )
  await shop.query("DELETE FROM provider_notice", [])
  return open.map(
    (row) => `the notice ${row["event_id"]} of ${row["provider_id"]} is ${row["state"]}: ${row["reason"]}`
  )
}

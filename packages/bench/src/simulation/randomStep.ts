/** One step of a history, chosen by chance. Requests are begun and not waited for: time goes on beside them. */
import { ProviderOperations } from "@effect-commerce/core/charge/ProviderOperations"
import { Charges } from "@effect-commerce/core/charge/Charges"
import { OutcomeHandlers } from "@effect-commerce/core/charge/OutcomeHandlers"
import { CheckoutPayments } from "@effect-commerce/core/completion/CheckoutPayments"
import type { CompletionInput } from "@effect-commerce/core/checkout/CheckoutInput"
import { Checkouts } from "@effect-commerce/core/checkout/Checkouts"
import { Completion } from "@effect-commerce/core/completion/Completion"
import type { CoreServices } from "@effect-commerce/core/CommerceCore"
import { Database } from "@effect-commerce/core/database/Database"
import { faultPoints } from "@effect-commerce/core/database/FaultPoint"
import { OrderMoney } from "@effect-commerce/core/settlement/OrderMoney"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Cause, Effect } from "effect"
import { companyKinds, references } from "./CompanyKinds.ts"
import { type HistoryStore, type HistoryWorld, newCart, newCheckout } from "./openStore.ts"
import { orderSubject } from "./OrderChanges.ts"
import { PlantedFault, type ShopProcess } from "./ShopProcess.ts"

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

type Request = (store: StoreContext) => Effect.Effect<unknown, unknown, CoreServices>

/** Begins a request in a process that is alive. What it is answered is noted; an error of our own is a violation. */
const request = (world: HistoryWorld, { id }: HistoryStore, what: string, make: Request, where?: ShopProcess): void => {
  const { random, shop, note, violate } = world
  const alive = shop.alive()
  if (alive.length === 0) return
  const process = where ?? random.pick(alive)
  note(`${process.name}: ${what}`)
  world.count(what.split(" ")[0] ?? what)
  const work = Effect.gen(function* () {
    const stores = yield* Stores
    return yield* make(yield* Effect.orDie(stores.context(id)))
  })
  process.run(work, (exit) => {
    if (exit._tag === "Success") return note(`  ${what}: ${wordOf(exit.value)}`)
    const failure = Cause.squash(exit.cause)
    note(`  ${what}: ${wordOf(failure)}`)
    const isExpected =
      Cause.hasFails(exit.cause) || failure instanceof PlantedFault || Cause.hasInterruptsOnly(exit.cause)
    if (!isExpected) violate(`${what} failed: ${Cause.pretty(exit.cause).slice(0, 800)}`)
  })
}

const wordOf = (value: unknown): string => {
  if (value === undefined || value === null) return "done"
  if (typeof value !== "object") return String(value)
  const { _tag, code, orderId, status, redirectUrl } = value as Record<string, unknown>
  return [_tag, code, orderId, status, redirectUrl].filter((word) => typeof word === "string").join(" ") || "done"
}

const complete = (world: HistoryWorld, store: HistoryStore, id: string, where?: ShopProcess): void => {
  const { random } = world
  const cards = companyKinds.filter(({ kind }) => kind === "card")
  const input: CompletionInput = random.chance(0.1)
    ? {}
    : {
        paymentMethod: "provider" as const,
        providerId: random.pick(random.chance(0.8) ? cards : companyKinds).code,
        ...(random.chance(0.9) ? { paymentReference: random.pick(references) } : {})
      }
  request(
    world,
    store,
    `complete ${id.slice(-4)} by ${input.providerId ?? "hand"} ${input.paymentReference ?? ""}`,
    (context) => Completion.use((completion) => completion.complete(context, store.access, id, input)),
    where
  )
}

const shopper = async (world: HistoryWorld, store: HistoryStore, id: string): Promise<void> => {
  const { random, shop } = world
  const { access } = store
  const dice = random.next()
  if (dice < 0.3) {
    const providerId = random.pick(companyKinds).code
    return request(world, store, `begin ${id.slice(-4)} by ${providerId}`, (context) =>
      CheckoutPayments.use((payments) =>
        payments.begin(context, access, id, { providerId, returnUrl: "https://shop.example/back" })
      )
    )
  }
  if (dice < 0.6) return complete(world, store, id)
  if (dice < 0.7) {
    // A double click, wherever it is served.
    const where = random.chance(0.5) ? shop.alive()[0] : undefined
    complete(world, store, id, where)
    await shop.settle()
    return complete(world, store, id, where)
  }
  if (dice < 0.85)
    return request(world, store, `return to ${id.slice(-4)}`, (context) =>
      CheckoutPayments.use((payments) => payments.status(context, access, id))
    )
  if (dice < 0.92)
    return request(world, store, `edit ${id.slice(-4)}`, (context) =>
      Checkouts.use((checkouts) => checkouts.setCustomer(context, access, id, { email: "bob@example.com" }))
    )
  if (dice < 0.95)
    return request(world, store, `cancel ${id.slice(-4)}`, (context) =>
      Checkouts.use((checkouts) => checkouts.cancel(context, access, id))
    )
  return request(world, store, "another checkout", (context) =>
    Effect.map(newCheckout(context, access, store.cartId), (made) => void world.checkouts.push(made))
  )
}

/** Somebody else wants the same goods. */
const newShopper = (world: HistoryWorld, store: HistoryStore): void =>
  request(world, store, "another shopper", (context) =>
    Effect.gen(function* () {
      const cartId = yield* newCart(context, store.access, store.productId)
      world.checkouts.push(yield* newCheckout(context, store.access, cartId))
    })
  )

/** What a shopper does on a company's page. */
const onPage = ({ random, companies }: HistoryWorld): void => {
  const waiting = [...companies.values()].flatMap((company) =>
    company.books.charges().flatMap(({ id, state }) => (state === "awaiting_shopper" ? [{ company, id }] : []))
  )
  if (waiting.length === 0) return
  const { company, id } = random.pick(waiting)
  company.shopperActs(id, random.pick(["pays", "pays", "pays", "pends", "cancels"] as const))
}

/** The merchant captures, refunds or releases the charge of an order, or notes that it was paid in cash. */
const merchant = async (world: HistoryWorld, store: HistoryStore): Promise<void> => {
  const { random, shop } = world
  const rows = await shop.query(
    `SELECT o.id, o.checkout_id, p.reference, p.amount, p.captured, p.provider FROM orders o JOIN payment p
      ON p.store_id = o.store_id AND p.order_id = o.id WHERE o.store_id = $1 ORDER BY p.created_at, p.provider`,
    [store.id]
  )
  if (rows.length === 0) return
  const row = random.pick(rows)
  const orderId = String(row["id"])
  if (row["provider"] === "manual" || random.chance(0.05))
    return request(world, store, `cash for ${orderId.slice(-4)}`, (context) =>
      OrderMoney.use((money) => money.record(context, orderId, { amount: Number(store.price) / 100, method: "cash" }))
    )
  const kind = random.pick(["capture", "refund", "refund", "void"] as const)
  const whole = BigInt(String(row["amount"]))
  const amount = kind === "void" ? 0n : random.chance(0.5) ? whole : (whole + 1n) / 2n
  if (kind !== "void" && amount === 0n) return
  const change = (context: StoreContext) =>
    Effect.gen(function* () {
      const handler = (yield* OutcomeHandlers).find(({ subjectType }) => subjectType === orderSubject)
      // A process of the older release has no such room.
      if (handler === undefined) return undefined
      const operations = yield* (yield* ProviderOperations).of(handler)
      const charge = yield* (yield* Charges).find(store.id, String(row["checkout_id"]), String(row["reference"]))
      if (charge === undefined) return undefined
      const begun = yield* (yield* Database).write(store.id)(
        operations.begin(context, { kind, subjectId: orderId, charge, amount, details: null })
      )
      return yield* operations.run(context, begun)
    })
  request(world, store, `${kind} ${amount} of ${row["reference"]}`, change)
  // Two clicks.
  await shop.settle()
  if (random.chance(0.2)) request(world, store, `${kind} ${amount} of ${row["reference"]} again`, change)
}

const passing = ({ random }: HistoryWorld): number => {
  const dice = random.next()
  if (dice < 0.45) return random.between(1, 1_500)
  if (dice < 0.75) return random.between(second, minute)
  if (dice < 0.92) return random.between(minute, hour / 2)
  return dice < 0.97 ? random.between(hour, 6 * hour) : random.between(6 * hour, 2 * day)
}

/** Time passes, and the workers of the processes come by. */
const workThrough = async (world: HistoryWorld): Promise<void> => {
  const { random, shop } = world
  await shop.pass(passing(world))
  for (const process of random.shuffled(shop.alive())) if (random.chance(0.7)) shop.work(process)
  await shop.settle()
  await shop.pass(random.between(0, 2 * second))
}

export const randomStep = async (world: HistoryWorld, store: HistoryStore): Promise<void> => {
  const { random, shop, companies } = world
  const dice = random.next()
  const id = random.pick(random.chance(0.7) ? world.checkouts.slice(-1) : world.checkouts)
  if (dice < 0.05) newShopper(world, store)
  else if (dice < 0.33) await shopper(world, store, id)
  else if (dice < 0.41) onPage(world)
  else if (dice < 0.5) await merchant(world, store)
  else if (dice < 0.64) {
    world.planted = { point: random.pick(faultPoints), kind: random.chance(0.75) ? "kill" : "throw" }
    if (random.chance(0.6)) await shopper(world, store, id)
    else await merchant(world, store)
  } else if (dice < 0.67) {
    const company = random.pick([...companies.values()])
    world.note(`${company.kind.code} is silent`)
    company.silence(random.pick([minute, hour, day]))
  } else if (dice < 0.69) for (const process of shop.alive().slice(0, 1)) process.kill()
  else if (dice < 0.73) await shop.startAll(world.isOldBeside)
  else await workThrough(world)
  await shop.settle()
  if (random.chance(0.5)) await shop.pass(random.between(0, second))
  if (shop.alive().length === 0) await shop.startAll(world.isOldBeside)
}

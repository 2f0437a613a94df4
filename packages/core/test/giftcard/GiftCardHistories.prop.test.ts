/**
 * Random histories of gift cards on PostgreSQL, beside a reference that was written apart: what may be held and spent,
 * what a quote offers, and what the books say in the end.
 */
import { Clock, Effect, ManagedRuntime, Result } from "effect"
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { coreLayer, type CoreServices } from "../../src/CommerceCore.ts"
import { Database } from "../../src/database/Database.ts"
import { giftCardClaims, giftCardTenders } from "../../src/giftcard/GiftCardPayments.ts"
import { GiftCards } from "../../src/giftcard/GiftCards.ts"
import { unknownBuyer } from "../../src/pricing/Quote.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { Stores } from "../../src/store/Stores.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

/** Histories of a run; a failure prints its seed, GIFTCARD_SEED=… repeats it. */
const rounds = Number(process.env["GIFTCARD_ROUNDS"] ?? 25)
const seed = Number(process.env["GIFTCARD_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

const minute = 60_000
const start = Date.parse("2026-06-01T12:00:00.000Z")
const issuedWith = [100, 40, 15]
/** The second card expires in the middle of a history. */
const expiresAfter = [Infinity, 45, Infinity]

interface Step {
  readonly what: "hold" | "spend" | "release" | "adjust" | "disable" | "enable" | "quote" | "wait"
  readonly card: number
  readonly holder: number
  readonly amount: number
  readonly minutes: number
}
const index = fc.integer({ min: 0, max: 2 })
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom("hold", "hold", "spend", "spend", "release", "adjust", "disable", "enable", "quote", "wait"),
  card: index,
  holder: index,
  amount: fc.integer({ min: 1, max: 40 }),
  minutes: fc.integer({ min: 1, max: 20 })
})

/** The third card has 15 cents: two holders want ten of them. */
const promisedTwice = [0, 1].map((holder): Step => ({ what: "hold", card: 2, holder, amount: 10, minutes: 20 }))

/** The reference: whole cents in plain numbers, and the minute of the history. */
const makeReference = () => {
  const balance = [...issuedWith]
  const disabled = [false, false, false]
  const holds: Array<{ card: number; holder: number; amount: number; until: number }> = []
  let now = 0
  const live = (card: number) => holds.filter((hold) => hold.card === card && hold.until > now)
  const free = (card: number, holder: number) =>
    live(card).reduce((left, hold) => (hold.holder === holder ? left : left - hold.amount), balance[card] ?? 0)
  const isOpen = (card: number) => !disabled[card] && now < (expiresAfter[card] ?? 0) && (balance[card] ?? 0) > 0
  const drop = (is: (hold: (typeof holds)[number]) => boolean) => {
    for (let i = holds.length - 1; i >= 0; i--) if (is(holds[i]!)) holds.splice(i, 1)
  }
  const run = ({ what, card, holder, amount, minutes }: Step): unknown => {
    switch (what) {
      case "hold": {
        if (!isOpen(card) || free(card, holder) < amount) return false
        drop((hold) => hold.card === card && hold.holder === holder)
        holds.push({ card, holder, amount, until: now + minutes })
        return true
      }
      case "spend": {
        const kept = live(card).find((hold) => hold.holder === holder)?.amount ?? 0
        if (free(card, holder) < amount || (kept < amount && !isOpen(card))) return false
        balance[card] = (balance[card] ?? 0) - amount
        drop((hold) => hold.card === card && hold.holder === holder)
        return true
      }
      case "release":
        return (drop((hold) => hold.holder === holder), true)
      case "adjust": {
        const left = (balance[card] ?? 0) + (minutes % 2 === 0 ? amount : -amount)
        if (left < 0) return false
        balance[card] = left
        return true
      }
      case "disable":
      case "enable":
        return ((disabled[card] = what === "disable"), true)
      case "quote": {
        let due = amount * 2
        return [0, 1, 2].map((each) => {
          const paid = isOpen(each) ? Math.max(0, Math.min(due, free(each, holder))) : 0
          due -= paid
          return paid
        })
      }
      case "wait":
        return ((now += minutes), true)
    }
  }
  return { run, balance }
}

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let runtime: ManagedRuntime.ManagedRuntime<CoreServices, unknown>
beforeAll(async () => {
  database = await TestDatabase.open()
  runtime = ManagedRuntime.make(
    coreLayer({ connection: database.connection, secret: TestDatabase.testSecret, maxConnections: 4 })
  )
})
afterAll(async () => {
  await runtime.dispose()
  await database.close()
})

/** The same history on the tables. */
const makeBooks = Effect.fnUntraced(function* (store: StoreContext, ids: ReadonlyArray<string>) {
  const { write } = yield* Database
  const cards = yield* GiftCards
  const claims = yield* giftCardClaims
  const source = yield* giftCardTenders
  let now = start
  let orders = 0
  const isDone = <A, E>(effect: Effect.Effect<A, E>) => Effect.map(Effect.result(effect), Result.isSuccess)

  const act = ({ what, card, holder, amount, minutes }: Step): Effect.Effect<unknown> => {
    const id = ids[card] ?? ""
    const holderId = `chk_${holder}`
    const at = new Date(now)
    const claim = {
      holderId,
      sourceId: id,
      amount: BigInt(amount),
      currency: "EUR",
      customerId: null,
      name: "card",
      now: at
    }
    switch (what) {
      case "hold":
        return isDone(write(store.id)(claims.hold(store, { ...claim, until: new Date(now + minutes * minute) })))
      case "spend":
        return isDone(write(store.id)(claims.spend(store, { ...claim, orderId: `ord_${orders++}` })))
      case "release":
        return isDone(write(store.id)(claims.release(store, holderId)))
      case "adjust": {
        const cents = minutes % 2 === 0 ? amount : -amount
        return isDone(cards.adjust(store, id, { delta: (cents / 100).toFixed(2), reason: "Test" }))
      }
      case "disable":
      case "enable":
        return isDone(cards[what](store, id))
      case "quote":
        return Effect.map(
          source.load(store, {
            currency: "EUR",
            lines: [],
            codes: [],
            tenders: ids.map((each) => ({ id: each, kind: "gift_card", sourceId: each, amount: null })),
            holderId,
            buyer: unknownBuyer,
            delivery: { by: "unknown" }
          }),
          (loaded) => {
            let due = BigInt(amount * 2)
            return ids.map((each) => {
              const paid = loaded?.tenders?.find(({ tenderId }) => tenderId === each)?.pay(due) ?? 0n
              const isExplained = loaded?.notApplied?.some(({ sourceId }) => sourceId === each) === true
              expect(isExplained).toBe(loaded?.tenders?.every(({ tenderId }) => tenderId !== each))
              due -= paid
              return Number(paid)
            })
          }
        )
      case "wait":
        now += minutes * minute
        return Effect.succeed(true)
    }
  }
  const clock = (): Clock.Clock => ({
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    sleep: () => Effect.void
  })
  return (each: Step) => Effect.suspend(() => Effect.provideService(act(each), Clock.Clock, clock()))
})

it(`is as the reference says, for ${rounds} random histories (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const history = Effect.gen(function* () {
        const { sql } = yield* Database
        const store = yield* Stores.use((stores) => stores.create({ name: "Shop", currency: "EUR", country: "DE" }))
        const cards = yield* GiftCards
        const ids: Array<string> = []
        for (const [i, cents] of issuedWith.entries()) {
          const minutes = expiresAfter[i] ?? Infinity
          const expiresAt = Number.isFinite(minutes) ? new Date(start + minutes * minute).toISOString() : null
          ids.push((yield* cards.create(store, { initialBalance: (cents / 100).toFixed(2), expiresAt })).id)
        }
        const reference = makeReference()
        const act = yield* makeBooks(store, ids)
        for (const each of steps) expect([each, yield* act(each)]).toEqual([each, reference.run(each)])
        const rows = yield* sql<{ readonly balance: bigint; readonly sum: bigint }>`SELECT g.balance,
            (SELECT sum(amount)::bigint FROM gift_card_transaction t WHERE t.store_id = g.store_id
              AND t.gift_card_id = g.id) AS sum
          FROM gift_card g WHERE g.store_id = ${store.id} ORDER BY array_position(${ids}::text[], g.id)`
        const expected = reference.balance.map((cents) => ({ balance: BigInt(cents), sum: BigInt(cents) }))
        expect(rows).toEqual(expected)
      })
      await runtime.runPromise(history as Effect.Effect<void, unknown, CoreServices>)
    }),
    { numRuns: rounds, seed, examples: [[promisedTwice]] }
  )
}, 120_000)

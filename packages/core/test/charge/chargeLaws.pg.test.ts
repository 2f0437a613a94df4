/** The laws of charges and their notices: silent about what happens, loud about what is forgotten. */
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { questionOf } from "../../src/audit/Law.ts"
import { chargeLaws } from "../../src/charge/chargeLaws.ts"
import { Database } from "../../src/database/Database.ts"
import { noticeLaws } from "../../src/notice/noticeLaws.ts"
import { naming, platform, received, signed } from "../notice/receivedNotices.ts"
import {
  another,
  beginChange,
  charged,
  happens,
  noticed,
  operated,
  operatedShop,
  type Operated,
  passAfter,
  passesFor,
  silence
} from "./operatedShop.ts"

const hour = 3_600_000

/** `law expected found` of each breach of the store. */
const breaches = ({ store }: Pick<Operated, "store">) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      Effect.forEach([...chargeLaws, ...noticeLaws], (law) =>
        Effect.map(
          platform(sql.unsafe<{ expected: string | null; found: string | null }>(questionOf(law), [store.id])),
          (rows) => rows.map(({ expected, found }) => `${law.law}: ${expected ?? "nothing"}, ${found ?? "nothing"}`)
        )
      ),
      (found) => found.flat()
    )
  )
const changed = ({ store, subjectId }: Operated, what: string) =>
  Effect.flatMap(Database, ({ sql, write }) =>
    write(store.id)(
      sql`UPDATE provider_operation SET ${sql.literal(what)} WHERE store_id = ${store.id} AND subject_id = ${subjectId}`
    )
  )

layer(operatedShop)("the laws of charges", (it) => {
  it.effect("are silent about a shop in which everything happens", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      for (const reference of [null, "redirect", "pending", "authorize", "lost", "unreachable", "timeout", "decline"]) {
        yield* charged(yield* another(shop), reference)
        expect(yield* breaches(shop)).toEqual([])
      }
      const refunding = yield* another(shop)
      yield* charged(refunding, "refund_pends")
      yield* shop.operations.run(shop.store, yield* beginChange(refunding, "refund", 700n))
      const disputed = yield* another(shop)
      yield* charged(disputed, "approve")
      yield* noticed(yield* happens(disputed, "disputed"))
      expect(yield* breaches(shop)).toEqual([])
      for (let n = 0; n < 6; n += 1) {
        yield* passAfter(hour / 4)
        expect(yield* breaches(shop)).toEqual([])
      }
      yield* passesFor(60 * hour, 6 * hour)
      expect(yield* breaches(shop)).toEqual([])
    })
  )

  it.effect("name an operation whose outcome is open and that nobody looks at", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "lost")
      yield* changed(shop, "check_at = NULL")
      expect(yield* breaches(shop)).toEqual(["operation.watched: a time, calling"])
    })
  )

  it.effect("name one that is over and looked at for ever", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "decline")
      yield* changed(shop, "check_at = sent_at")
      expect(yield* breaches(shop)).toEqual([expect.stringMatching(/^operation\.watched: no time, declined /)])
    })
  )

  it.effect("name a charge that was taken in before it is final and that nobody follows", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "pending")
      yield* changed(shop, "check_at = NULL")
      expect(yield* breaches(shop)).toEqual(["operation.followed: a time, captured 0 of 2500, pending"])
      const disputed = yield* another(shop)
      yield* charged(disputed, "approve")
      yield* noticed(yield* happens(disputed, "disputed"))
      yield* changed(disputed, "check_at = NULL")
      expect((yield* breaches(shop)).sort()).toEqual([
        "operation.followed: a time, captured 0 of 2500, pending",
        "operation.followed: a time, captured 2500 of 2500, captured"
      ])
    })
  )

  it.effect("name what needs a person, until it is settled", () =>
    Effect.gen(function* () {
      const shop = yield* operated
      yield* charged(shop, "wrong_amount")
      const wrong = "operation.attention: nothing, test has 25.01 USD where 25.00 USD was asked for"
      expect(yield* breaches(shop)).toEqual([wrong])
      const silent = yield* another(shop)
      yield* charged(silent, "lost")
      yield* silence(3 * hour)
      yield* passesFor(2 * hour, hour / 6)
      expect(yield* breaches(shop)).toHaveLength(2)
      yield* silence(0)
      yield* passesFor(hour, hour / 6)
      expect(yield* breaches(shop)).toEqual([wrong])
    })
  )

  it.effect("name notices that were set aside or stay open, those to all stores with the first store", () =>
    Effect.gen(function* () {
      const { store } = yield* operated
      const { sql } = yield* Database
      const [first] = yield* sql<{ id: string }>`SELECT min(id) AS id FROM store`
      const spoilt = yield* signed(`{"store":"${store.id}"}`)
      yield* received(spoilt)
      yield* received(yield* naming(`${store.id}/nobody:1`))
      const found = yield* breaches({ store: { ...store, id: first?.id ?? "" } })
      expect(found.filter((line) => line.startsWith("provider.notices"))).toEqual([
        "provider.notices: nothing, set_aside: it is not a notice of the test provider"
      ])
      yield* platform(sql`UPDATE provider_notice SET store_id = ${store.id} WHERE body = ${spoilt.body}`)
      expect(yield* breaches({ store })).toEqual([
        "provider.notices: nothing, set_aside: it is not a notice of the test provider"
      ])
      yield* platform(sql`DELETE FROM provider_notice WHERE body = ${spoilt.body}`)
    })
  )
})

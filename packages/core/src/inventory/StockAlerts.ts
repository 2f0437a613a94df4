/**
 * Notifies shoppers that something can be bought again: once, and when it has stayed available for five minutes on the
 * channel where they asked. The response is the same whether the alert is new, known, for an item that is not sold, or
 * for one that is available.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { canPurchase } from "../kernel/Availability.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { backInStock } from "./InventoryEvents.ts"
import { InventoryRepository, type ShownRow } from "./InventoryRepository.ts"
import { keptMillis, type StockAlertInput, stayedMillis } from "./StockAlert.ts"
import { StockAlertRepository } from "./StockAlertRepository.ts"

/** The least time of every response, in milliseconds, so that it does not reveal what was done. */
const askingTime = 100

/** How many items' alerts one transaction takes, and how many alerts. */
const thingsAtOnce = 50
const mailsAtOnce = 200

export class StockAlerts extends Context.Service<StockAlerts>()("@effect-commerce/core/inventory/StockAlerts", {
  make: Effect.gen(function* () {
    const { write } = yield* Database
    const outbox = yield* Outbox
    const stock = yield* InventoryRepository
    const repository = yield* StockAlertRepository

    const ask = Effect.fn("StockAlerts.ask")(function* (
      store: StoreContext,
      salesChannelId: string,
      { email, productId, variantId: asked, locale, honeypot }: StockAlertInput
    ) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const variantId = asked ?? null
      const alert = {
        salesChannelId,
        key: variantId ?? productId,
        productId,
        variantId,
        email: normaliseEmail(email),
        locale: locale ?? null
      }
      const isTrapped = typeof honeypot === "string" && honeypot !== ""
      const refused = FieldRejected.at("honeypot", "must be empty")
      const keep = Effect.flatMap(
        stock.shown(store.id, { productIds: [productId], channelId: salesChannelId, now }),
        (rows) => write(store.id)(repository.keep(store.id, alert, isAwaitable(rows, variantId), now))
      )
      const [done] = yield* Effect.all(
        [Effect.exit(isTrapped ? Effect.fail(refused) : keep), Effect.sleep(askingTime)],
        {
          concurrency: 2
        }
      )
      return yield* done
    })

    /** Whether there is more to do. */
    const tellSome = (storeId: string, now: number) =>
      write(storeId)(
        Effect.gen(function* () {
          const due = yield* repository.lockDue(storeId, new Date(now - stayedMillis), thingsAtOnce)
          if (due.length === 0) return false
          const alerts = yield* repository.take(storeId, due, mailsAtOnce)
          yield* outbox.appendAll(
            storeId,
            alerts.map((alert) => backInStock.of(alert))
          )
          yield* repository.forget(storeId, due)
          return due.length === thingsAtOnce || alerts.length === mailsAtOnce
        })
      )
    /** Whether there is more to do. */
    const sweepSome = (storeId: string, now: number) =>
      write(storeId)(
        Effect.gen(function* () {
          const awaited = yield* repository.removeOlder(storeId, new Date(now - keptMillis), thingsAtOnce)
          yield* repository.forget(storeId, awaited)
          return awaited.length === thingsAtOnce
        })
      )
    const observe = (storeId: string, now: number) => write(storeId)(repository.observe(storeId, new Date(now)))

    const inEachStore = (what: string, piece: (storeId: string, now: number) => Effect.Effect<boolean>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        storesInTurn(what, repository.stores, (storeId) => piece(storeId, now))
      )

    return {
      ask,
      /** Requests the mails of all due alerts, in every store. A worker runs it; any number of processes may. */
      tellDue: inEachStore("Telling that stock is back", (storeId, now) =>
        Effect.andThen(observe(storeId, now), tellSome(storeId, now))
      ),
      /** Deletes alerts that have waited too long. */
      sweep: inEachStore("Forgetting old stock alerts", sweepSome)
    }
  })
}) {
  static readonly layer = Layer.effect(StockAlerts, StockAlerts.make).pipe(
    Layer.provide([StockAlertRepository.layer, InventoryRepository.layer])
  )
}

/** Whether shoppers can see the item but cannot buy it. */
const isAwaitable = (rows: ReadonlyArray<ShownRow>, variantId: string | null): boolean => {
  const sold = rows.filter((row) => (row.type === "VARIABLE") === (row.variantId !== null))
  const asked = variantId === null ? sold : sold.filter((row) => row.variantId === variantId)
  return rows.length > 0 && (variantId === null || asked.length > 0) && !asked.some(canPurchase)
}

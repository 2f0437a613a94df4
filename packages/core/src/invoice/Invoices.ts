/**
 * Invoices of orders. The first request for one issues it: it gets the next number of the store, which it keeps for
 * good (decision 0044). The signed link opens the same page without a credential.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { MailSettings } from "../emailsetting/MailSettings.ts"
import { SignedLinks } from "../link/SignedLinks.ts"
import { OrderNotFound } from "../order/OrderErrors.ts"
import { OrderRepository } from "../order/OrderRepository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { partiesOf, seriesOf } from "./Invoice.ts"
import { InvoiceLinkInvalid, InvoiceNotIssued } from "./InvoiceErrors.ts"
import { invoicePage } from "./InvoicePage.ts"
import { InvoiceRepository } from "./InvoiceRepository.ts"

const day = 86_400_000
/** Days that a link opens its invoice, to the end of the last: what is read twice on a day has one link. */
const linkDays = 30

/** What a link is made from. */
export interface InvoicedOrder {
  readonly id: string
  /** Of a draft order: the order that it has become, if it has. */
  readonly orderId?: string | null
  readonly storeId: string
  readonly status: string
  readonly invoiceNumber: string | null
  readonly invoiceUrl: string | null
}

export class Invoices extends Context.Service<Invoices>()("@effect-commerce/core/invoice/Invoices", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const orders = yield* OrderRepository
    const invoices = yield* InvoiceRepository
    const stores = yield* Stores
    const mailSettings = yield* MailSettings
    const links = yield* SignedLinks

    const orderOf = (store: StoreContext, id: string) =>
      orFail(orders.find(store.id, id), () => new OrderNotFound({ id }))

    const issue = Effect.fn("Invoices.issue")(function* (store: StoreContext, id: string) {
      const issuedAt = new Date(yield* Clock.currentTimeMillis)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* invoices.lockOrder(store.id, id)
          const order = yield* orderOf(store, id)
          const known = yield* invoices.find(store.id, id)
          if (known !== undefined) return known
          if (order.status === "CANCELLED") return yield* new InvoiceNotIssued({ id, status: order.status })
          const { footerAddress } = yield* mailSettings.of(store, issuedAt)
          const parties = partiesOf(yield* stores.fresh(store), footerAddress, order)
          return yield* orFail(
            invoices.issue(store.id, { orderId: id, series: seriesOf(order), parties, issuedAt }),
            () => new OrderNotFound({ id })
          )
        })
      )
    })

    const page = Effect.fnUntraced(function* (store: StoreContext, id: string) {
      const order = yield* orderOf(store, id)
      const invoice = (yield* invoices.find(store.id, id)) ?? (yield* issue(store, id))
      return invoicePage({ store, order, invoice })
    })

    return {
      /** The page, in the order's language. It is issued by the first call. */
      page,
      /** The page that a link opens. */
      pageOfLink: Effect.fnUntraced(function* (token: string) {
        const read = links.read("invoice", token, yield* Clock.currentTimeMillis)
        const [storeId = "", orderId = ""] = read?.parts ?? []
        if (read === undefined) return yield* new InvoiceLinkInvalid()
        const opened: Effect.Effect<string, InvoiceLinkInvalid> = stores.context(storeId).pipe(
          Effect.filterOrFail(
            ({ suspended }) => !suspended,
            () => new InvoiceLinkInvalid()
          ),
          Effect.flatMap((store) => page(store, orderId)),
          Effect.mapError(() => new InvoiceLinkInvalid())
        )
        return yield* opened
      }),
      /**
       * What puts the link into orders that the current request answers with, by its address. Events carry none: a link
       * is a secret, and an event is kept and sent.
       */
      linking: Effect.gen(function* () {
        const address = yield* links.current
        const now = yield* Clock.currentTimeMillis
        const until = (Math.floor(now / day) + linkDays + 1) * day
        return <Order extends InvoicedOrder>(order: Order): Order => {
          const id = order.orderId === undefined ? order.id : order.orderId
          if (id === null || (order.status === "CANCELLED" && order.invoiceNumber === null)) return order
          return { ...order, invoiceUrl: `${address}/invoices/${links.sign("invoice", [order.storeId, id], until)}` }
        }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Invoices, Invoices.make).pipe(
    Layer.provide([OrderRepository.layer, InvoiceRepository.layer])
  )
}

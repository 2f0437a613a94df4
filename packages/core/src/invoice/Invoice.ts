/**
 * An invoice: its number and who sold to whom, copied when it was issued. Lines and amounts are those of its order,
 * which never change; payments and refunds are shown as they are when it is printed.
 */
import { Schema } from "effect"
import { storedJson } from "../database/Repository.ts"
import { toOrderAddress } from "../kernel/Address.ts"
import { addressLines } from "../kernel/AddressLines.ts"
import type { OrderState } from "../order/Order.ts"
import type { StoreContext } from "../store/StoreContext.ts"

/** Orders of sales channels in test mode are numbered apart. */
export type InvoiceSeries = "INV" | "TEST"

const text = Schema.NullOr(Schema.String)
const lines = Schema.Array(Schema.String)

const InvoiceParties = Schema.Struct({
  seller: Schema.Struct({ name: Schema.String, address: lines }),
  buyer: Schema.Struct({ name: text, email: text }),
  /** Empty where the order has none. */
  billingAddress: lines,
  shippingAddress: lines
})
export type InvoiceParties = typeof InvoiceParties.Type

export const readParties = storedJson("invoice.parties", InvoiceParties)

export interface InvoiceState {
  readonly series: InvoiceSeries
  readonly number: bigint
  readonly parties: InvoiceParties
  readonly issuedAt: Date
}

/** The series in which an order's invoice is numbered. */
export const seriesOf = ({ isTestOrder }: Pick<OrderState, "isTestOrder">): InvoiceSeries =>
  isTestOrder ? "TEST" : "INV"

const linesOf = (given: OrderState["billingAddress"]): ReadonlyArray<string> =>
  given === null ? [] : addressLines(toOrderAddress(given))

/** The lines of a postal address, without the name above it. */
const postalLines = (postal: string, name: string): ReadonlyArray<string> =>
  postal.split(/\r?\n/).filter((line, i) => line.trim() !== "" && !(i === 0 && line.trim() === name))

/** Who sells and who buys, as they are now. `postal` is the store's postal address, as its mails show it. */
export const partiesOf = (store: StoreContext, postal: string | null, order: OrderState): InvoiceParties => ({
  seller: {
    name: store.name,
    address: postal === null ? [store.country] : postalLines(postal, store.name)
  },
  buyer: { name: order.customer.name ?? null, email: order.email },
  billingAddress: linesOf(order.billingAddress),
  shippingAddress: linesOf(order.shippingAddress)
})

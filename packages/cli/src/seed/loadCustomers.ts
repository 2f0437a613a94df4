/**
 * The customers of a store description. One without an externalId yet is found by the e-mail address, which is unique
 * in its store: a shopper who has registered is the same customer. Addresses are what a customer begins with; loading
 * again leaves the address book to its owner.
 */
import { CustomerAddresses } from "@effect-commerce/core/customer/CustomerAddresses"
import { Customers } from "@effect-commerce/core/customer/Customers"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { CustomerRow, readRow } from "./rows.ts"

export const loadCustomers = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const customers = yield* Customers
  const book = yield* CustomerAddresses
  const externalIds = yield* ExternalIds
  const { store } = loading
  const named = yield* externalIds.find(
    store.id,
    "customer",
    rows.map((row) => row.externalId)
  )

  const knownBy = (email: string) =>
    customers.getByEmail(store, email).pipe(
      Effect.map(({ id }): string | undefined => id),
      Effect.catchTag("CustomerNotFound", () => Effect.undefined)
    )

  for (const row of rows) {
    const { addresses = [], ...body } = yield* Effect.fromResult(readRow(CustomerRow, "customers", row))
    const known = named.get(row.externalId) ?? (yield* knownBy(body.email))
    const kept = yield* (
      known === undefined ? customers.create(store, body) : customers.update(store, known, body)
    ).pipe(inRow("customers", row.externalId))
    if (!named.has(row.externalId)) yield* externalIds.assign(store.id, "customer", kept.id, row.externalId)
    if (known === undefined)
      for (const address of addresses) yield* inRow("customers", row.externalId)(book.add(store, kept.id, address))
    loading.count("customers", known === undefined ? "created" : "updated")
  }
})

/**
 * The customers of a store description. One without an externalId yet is found by the e-mail address, which is unique
 * in its store: a shopper who has registered is the same customer. Addresses are what a customer begins with; loading
 * again leaves the address book to its owner.
 */
import { customerFields } from "@effect-commerce/core/customer/Customer"
import { AddressInput, Email } from "@effect-commerce/core/kernel/Address"
import { CustomerAddresses } from "@effect-commerce/core/customer/CustomerAddresses"
import { Customers } from "@effect-commerce/core/customer/Customers"
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { Effect, Schema } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { nullable, optional, readRow } from "./rows.ts"

/** `addresses` are what a customer begins with; the first is the default unless another one says so. */
const CustomerRow = Schema.Struct({
  email: Email,
  ...customerFields,
  emailVerified: optional(Schema.Boolean),
  addresses: optional(
    Schema.Array(
      Schema.Struct({ ...AddressInput.fields, label: nullable(Schema.String), isDefault: optional(Schema.Boolean) })
    )
  )
})

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
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

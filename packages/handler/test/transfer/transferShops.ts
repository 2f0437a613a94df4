/** A shop with one of everything and people who can be recognised, and other databases that its store goes to. */
import { Audit } from "@effect-commerce/core/audit/Audit"
import type { Finding } from "@effect-commerce/core/audit/Law"
import { Database } from "@effect-commerce/core/database/Database"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { type Exported, StoreExport } from "@effect-commerce/core/transfer/StoreExport"
import { type Imported, StoreImport } from "@effect-commerce/core/transfer/StoreImport"
import { Effect, Layer, Stream } from "effect"
import pg from "pg"
import { expect } from "vitest"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf } from "../customer/SignedIn.ts"
import { fillStore } from "../matrix/filledStore.ts"
import { refundShopOf } from "../refund/refundShop.ts"

/** What nothing else in the shop is called. */
export const person = {
  email: "zebediah.quill@mail.test",
  firstName: "Zebediah",
  lastName: "Quillfeather",
  phone: "+491701234567",
  line1: "77 Wisteria Crossing",
  line2: "Flat Heliotrope",
  company: "Quillfeather Partners",
  city: "Oberwisteria",
  postalCode: "94107"
}
const { email, firstName, lastName, phone } = person
export const birthday = { birthMonth: 11, birthDay: 23 }
const address = {
  firstName,
  lastName,
  phone,
  company: person.company,
  line1: person.line1,
  line2: person.line2,
  city: person.city,
  region: "CA",
  postalCode: person.postalCode,
  country: "US"
}
/** Texts of theirs that stand in no field of a name. */
const secretsOfPeople = [
  "leave it with Mrs Tangleberry",
  "gnome ordered by Ottoline",
  "From aunt Persimmon",
  // As a word of ours looks, and as an amount.
  "wilhelmina",
  "01719876543"
]

/** All of it: none may be in a file whose people are made up. The postal code may be a number of something else. */
export const traces = [...Object.values(person).filter((text) => text !== person.postalCode), ...secretsOfPeople]

const must = async <A extends { readonly status: number; readonly text: string }>(called: Promise<A>): Promise<A> => {
  const answer = await called
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}

/** Gives the shop's store one of everything, and what the person has done there. */
export const fillWithPeople = async (shop: TestCommerce) => {
  const { ids, token } = await fillStore(shop, shop)
  const { shopper, bought, refund } = refundShopOf(shop)
  const [note, gnome, aunt, word, digits] = secretsOfPeople
  const at = `/vc/${shop.channelId}`

  const customers = customersOf(shop)
  const signedUp = await customers.signUp({ email, firstName, lastName, phone, ...birthday, acceptsMarketing: true })
  await must(customers.me(signedUp.token, "POST", "/addresses", address))
  const card = await must(
    shop.call("POST", "/v1/gift-cards", {
      body: { initialBalance: "25.00", recipientEmail: email, senderName: firstName, message: aunt, note: gnome }
    })
  )
  await must(shop.call("POST", `/v1/gift-cards/${card.body.id}/adjust`, { body: { delta: "1.00", reason: digits } }))

  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 100 })
  await must(
    shop.call("POST", `/v1/products/${lamp}/inventory/adjust`, {
      body: { delta: 1, reason: "received", reference: word }
    })
  )
  const checkout = await shopper.checkout(await shopper.cart([lamp, 2]))
  await must(shop.call("PATCH", `${at}/checkout/${checkout}/customer`, { body: { email, firstName, lastName, phone } }))
  await must(shop.call("PATCH", `${at}/checkout/${checkout}/shipping`, { body: { shippingAddress: address } }))
  const paid = await must(
    shopper.complete(checkout, "theirs", { paymentMethod: "test", paymentReference: "approve", notes: note })
  )
  const orderId = paid.body.orderId as string
  await must(shop.call("POST", `/v1/orders/${orderId}/notes`, { body: { text: gnome, notifyCustomer: false } }))
  await must(refund(orderId, { amount: "10.00", reason: note }))
  await must(shop.call("GET", `/v1/orders/${orderId}/invoice`))
  await bought("approve")
  await must(
    shop.call("POST", "/v1/orders/draft", {
      body: {
        items: [{ productId: lamp, quantity: 1 }],
        customer: { email, firstName, lastName, phone },
        shippingAddress: address,
        notes: note
      }
    })
  )
  await must(shop.call("PATCH", `/v1/brands/${ids["brands"]}`, { body: { name: "Lumen & Söhne “β”" } }))
  const client = await openClient(shop)
  await client.rows("UPDATE payment_provider SET credentials = 'sealed', is_enabled = true WHERE store_id = $1", [
    shop.storeId
  ])
  await client.end()
  return { ids, token, lamp, orderId, checkout, customerId: signedUp.id, shopper: signedUp }
}

interface Asked {
  readonly anonymised?: boolean
  readonly media?: boolean
  readonly storeId?: string
  /** Gets what is written, piece by piece. */
  readonly parts?: Array<string>
}

/** What an export says of itself. */
export const told = (shop: TestCommerce, { parts = [], ...asked }: Asked = {}): Promise<Exported> => {
  const write = (lines: string) => Effect.sync(() => void parts.push(lines))
  return shop.run(
    StoreExport.use((exporting) =>
      exporting.run({ storeId: shop.storeId, ...asked, write })
    ) as unknown as Effect.Effect<Exported>
  )
}

/** The file of a store. */
export const exported = async (shop: TestCommerce, asked: Asked = {}): Promise<string> => {
  const parts = asked.parts ?? []
  await told(shop, { ...asked, parts })
  return parts.join("")
}

/** Imports a file, in chunks that end where they end. */
export const imported = (shop: TestCommerce, file: string | Buffer, accountId?: string): Promise<Imported> => {
  const bytes = Buffer.from(file)
  const chunks = Array.from({ length: Math.ceil(bytes.length / 70_001) }, (_, i) =>
    bytes.subarray(i * 70_001, (i + 1) * 70_001)
  )
  return shop.run(
    StoreImport.use((importing) =>
      importing.run({ source: () => Stream.fromIterable(chunks), accountId })
    ) as unknown as Effect.Effect<Imported>
  )
}

/** An admin key of a store that was imported. */
export const keyOf = (
  shop: TestCommerce,
  { id, accountId }: Imported,
  scopes: ReadonlyArray<string>
): Promise<string> =>
  shop.run(
    ApiKeys.use((keys) => keys.mint({ accountId, storeId: id, name: "there", scopes, tier: "ENTERPRISE" })).pipe(
      Effect.map(({ key }) => key)
    ) as unknown as Effect.Effect<string>
  )

/** Its reason; fails where it was not refused. */
export const refusal = async (run: Promise<unknown>): Promise<string> => {
  const failed: unknown = await run.then(
    () => undefined,
    (error: unknown) => error
  )
  if (failed === undefined) throw new Error("it was not refused")
  return String((failed as { readonly reason?: string; readonly message?: string }).reason ?? failed)
}

/** What the auditor finds in the whole database. */
export const findingsIn = async (shop: TestCommerce): Promise<ReadonlyArray<Finding>> => {
  const findings: Array<Finding> = []
  const run = Audit.use(({ run }) => run({ tell: (found) => Effect.sync(() => void findings.push(...found)) }))
  const over = Audit.layer.pipe(Layer.provide(Database.layer(shop.database.connection)))
  await Effect.runPromise(Effect.provide(run, over))
  return findings
}

export const openClient = async (shop: TestCommerce) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  const rows = async (sql: string, values: ReadonlyArray<unknown> = []) => (await client.query(sql, [...values])).rows
  return { rows, end: () => client.end() }
}

interface Line {
  readonly table?: string
  readonly row?: Readonly<Record<string, unknown>>
}

export const linesOf = (file: string): ReadonlyArray<Line> =>
  file
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)

/** The rows of a table of a file. */
export const rowsIn = (file: string, table: string) =>
  linesOf(file).flatMap((line) => (line.table === table && line.row !== undefined ? [line.row] : []))

/** How many rows each table of the database has that name the store. */
export const countsOf = async (shop: TestCommerce, storeId: string): Promise<number> => {
  const client = await openClient(shop)
  const tables = await client.rows(`SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    AND a.attname = 'store_id' WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`)
  let count = Number((await client.rows("SELECT count(*) AS n FROM store WHERE id = $1", [storeId]))[0]?.["n"])
  for (const { name } of tables)
    count += Number((await client.rows(`SELECT count(*) AS n FROM "${name}" WHERE store_id = $1`, [storeId]))[0]?.["n"])
  await client.end()
  return count
}

/** The tables that have rows in a file. */
export const tablesIn = (file: string): ReadonlyArray<string> => [
  ...new Set(linesOf(file).flatMap(({ table }) => (table === undefined ? [] : [table])))
]

/**
 * Every operation of the interface, from a list that knows nothing of the declarations, does its work: the status it
 * has for that, an answer as the API document describes it, and what it is for. Those of Operations.pg.test are called
 * there.
 */
import type { AddressProvider } from "@effect-commerce/core/shipping/AddressProvider"
import type { OutgoingMail, Transport } from "@effect-commerce/core/smtp/MailTransport"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type NameServer, openNameServer } from "../../../core/test/emaildomain/nameServer.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { redPixel } from "../media/redPixel.ts"
import { formOf } from "../media/sendForm.ts"
import { FakeIssuer } from "../oauth/FakeIssuer.ts"
import { cardCompany } from "../payment/CardCompany.ts"
import { document } from "../system/documentedAnswers.ts"
import { ownerOf } from "../team/desk.ts"
import { operationOf, parts } from "./operationList.ts"
import { calledParts } from "./calledParts.ts"
import { type Asking, askingOf } from "./operations/asking.ts"
import { type Catalogue, walkCatalogue } from "./operations/catalogue.ts"
import { walkOrders } from "./operations/orders.ts"
import { leave, walkPeople } from "./operations/people.ts"
import { walkSelling } from "./operations/selling.ts"
import { walkSettings } from "./operations/settings.ts"

let shop: TestCommerce
let asking: Asking
let issuer: FakeIssuer
let names: NameServer
let owner: string
let catalogue: Catalogue
let customer: { readonly id: string; readonly email: string; readonly token: string }
const sent: Array<OutgoingMail> = []

const transport: Transport = {
  keeps: false,
  fromAddress: "post@host.example",
  deliver: (mail) => Effect.sync(() => (sent.push(mail), "SENT"))
}
const place = {
  line1: "12 Market Street",
  city: "San Francisco",
  region: "CA",
  postalCode: "94105",
  country: "US",
  lat: 37.79,
  lng: -122.4,
  formattedAddress: "12 Market Street, San Francisco"
}
const addresses = {
  name: "tests",
  suggest: () => Effect.succeed([{ placeId: "market", description: "12 Market Street" }]),
  find: () => Effect.succeed(place)
} as unknown as AddressProvider

beforeAll(async () => {
  issuer = await new FakeIssuer().start()
  names = await openNameServer()
  const store = memoryObjectStore()
  shop = await openTestCommerce({
    outbound: { allowPrivate: true },
    payments: { providers: [cardCompany] },
    mail: { transport, publicUrl: "https://host.example", dnsServers: [names.address] },
    addresses: { provider: addresses, timeout: 5_000 },
    media: { store }
  })
  const bytes = new TextEncoder().encode("0123456789")
  await Effect.runPromise(store.put({ key: `${shop.storeId}/book.pdf`, bytes, contentType: "application/pdf" }))
  asking = askingOf(shop)
  owner = await ownerOf(shop, shop, "owner@example.com")
})
afterAll(async () => {
  await shop.close()
  await issuer.stop()
  await names.close()
})

it("of the catalogue does its work", async () => {
  catalogue = await walkCatalogue(asking.ask)
})

it("of carts, checkouts and what takes something off does its work", async () => {
  await walkSelling(asking.ask, catalogue, { storeId: shop.storeId, session: owner })
})

it("of customers and of the people of the dashboard does its work", async () => {
  customer = await walkPeople(asking.ask, shop, { lamp: catalogue.lamp, issuer, owner })
})

it("of orders does its work", async () => {
  await walkOrders(asking.ask, shop, { lamp: catalogue.lamp, session: owner, customer })
})

it("of settings, mails, webhooks and apps does its work", async () => {
  await walkSettings(asking.ask, { lamp: catalogue.lamp, session: owner, sent, names })
  await leave(asking.ask, customer.token)
})

it("of files does its work", async () => {
  const { ask } = asking
  const made = await ask("POST /v1/media", 201, { raw: formOf({ bytes: redPixel, name: "red.png" }) })
  const ids = new URL(made.body.url, "http://any.example").pathname.split("/").slice(-2)
  expect((await ask("GET /media/{}/{}", 200, { as: null, ids })).headers.get("content-type")).toBe("image/png")
})

it("that the interface calls a deprecated stub is 501, and no other", async () => {
  const stubs = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => responses["501"] !== undefined)
      .map(([method]) => operationOf(method.toUpperCase(), path))
  )
  expect(stubs).toEqual(["POST /vc/{}/bot/summarize"])
  expect((await asking.ask("POST /vc/{}/bot/summarize", 501, { body: {} })).body.code).toBe("NOT_IMPLEMENTED")
})

it("of the list has been called, here or by Operations.pg.test", () => {
  const listed = parts.filter(({ name }) => !calledParts.includes(name)).flatMap(({ operations }) => operations)
  expect(listed.filter((operation) => !asking.done.has(operation))).toEqual([])
})

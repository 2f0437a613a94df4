import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { afterAll } from "vitest"
import { Database } from "../../src/database/Database.ts"
import { Emails } from "../../src/email/Emails.ts"
import { MailDelivery } from "../../src/email/MailDelivery.ts"
import { EmailDomains } from "../../src/emaildomain/EmailDomains.ts"
import { openNameServer } from "../emaildomain/nameServer.ts"
import { checkDkim } from "./dkim.ts"
import { openPostOffice } from "./mailServer.ts"
import { onTestDatabase, openStore, orderCreated, relay, shopWith } from "./mailShop.ts"

const [office, names] = [await openPostOffice(), await openNameServer()]
afterAll(() => Promise.all([office.close(), names.close()]))

const deliver = MailDelivery.use((delivery) => delivery.deliverDue)
let shoppers = 0
const shopper = () => `own${++shoppers}@example.com`
const confirmed = Effect.fnUntraced(function* (storeId: string) {
  const to = shopper()
  yield* relay(storeId, orderCreated({ customer: { email: to, name: "Ada" } }))
  yield* deliver
  return office.mails.find(({ envelopeTo }) => envelopeTo.includes(to))
})

/** A store whose mails come from this domain. */
const storeAt = Effect.fnUntraced(function* (domain: string) {
  const store = yield* openStore()
  const domains = yield* EmailDomains
  const made = yield* domains.create(store, { domain })
  for (const { name, value, required } of made.dnsRecords) if (required) names.records.set(name, [value])
  yield* domains.verify(store, made.id)
  yield* Emails.use((emails) => emails.changeSettings(store, { customDomainId: made.id }))
  const key = /p=(.*)$/.exec(made.dnsRecords.find(({ purpose }) => purpose === "DKIM")?.value ?? "")?.[1] ?? ""
  return { store, made, key }
})

layer(
  shopWith({
    smtpUrl: `${office.url}?from=post@host.example`,
    publicUrl: "https://host.example",
    dnsServers: [names.address]
  }).pipe(Layer.provideMerge(onTestDatabase))
)("mails of a store with a domain of its own", (it) => {
  it.effect("come from it, are signed by its key, and bounce to the installation", () =>
    Effect.gen(function* () {
      const { store, made, key } = yield* storeAt("mugs.example")
      const mail = yield* confirmed(store.id)
      assert.deepStrictEqual(
        [mail?.from?.value[0]?.address, mail?.envelopeFrom, mail?.messageId?.split("@")[1]],
        ["post@mugs.example", "post@host.example", "mugs.example>"]
      )
      const checked = checkDkim(mail?.raw ?? "", key)
      assert.deepStrictEqual(
        [checked?.domain, `${checked?.selector}._domainkey.mugs.example`, checked?.isValid],
        ["mugs.example", made.dnsRecords[1]?.name, true]
      )
      assert.includeMembers([...(checked?.signed ?? [])], ["from", "to", "subject", "date", "message-id"])
      assert.isFalse(checkDkim((mail?.raw ?? "").replace("#1001", "#1002"), key)?.isValid)
    })
  )

  it.effect("are no other store's: without a domain nothing is signed", () =>
    Effect.gen(function* () {
      const mail = yield* confirmed((yield* openStore()).id)
      assert.strictEqual(mail?.from?.value[0]?.address, "post@host.example")
      assert.isUndefined(checkDkim(mail?.raw ?? "", ""))
    })
  )

  it.effect("come from the installation once the domain's records are gone, also those that wait", () =>
    Effect.gen(function* () {
      const { store, made } = yield* storeAt("gone.example")
      const to = shopper()
      yield* relay(store.id, orderCreated({ customer: { email: to, name: "Ada" } }))
      names.records.delete(made.dnsRecords[0]?.name ?? "")
      const looked = yield* EmailDomains.use((domains) => domains.verify(store, made.id))
      assert.strictEqual(looked.status, "FAILED")
      yield* deliver
      const waiting = office.mails.find(({ envelopeTo }) => envelopeTo.includes(to))
      const later = yield* confirmed(store.id)
      for (const mail of [waiting, later]) {
        assert.strictEqual(mail?.from?.value[0]?.address, "post@host.example")
        assert.isUndefined(checkDkim(mail?.raw ?? "", ""))
      }
    })
  )

  it.effect("are signed by a key that the database does not show", () =>
    Effect.gen(function* () {
      const { store } = yield* storeAt("sealed.example")
      const { sql } = yield* Database
      const rows = yield* sql<{ readonly row: string }>`SELECT row_to_json(d)::text AS row FROM email_domain d
        WHERE store_id = ${store.id}`
      assert.notInclude(rows[0]?.row, "PRIVATE KEY")
      const signature = yield* EmailDomains.use((domains) => domains.signature(store.id, "sealed.example"))
      assert.include(signature?.privateKey, "BEGIN PRIVATE KEY")
    })
  )
})

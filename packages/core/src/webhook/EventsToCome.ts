/**
 * Events of the interface whose room does not exist yet. The room takes its declarations from here when it is built.
 */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"

const donationData = Schema.Struct({
  donationId: Schema.String,
  donation: Schema.Record(Schema.String, Schema.Unknown)
})

const donationCreated = defineEvent("donation.created", {
  description: "A donation is made.",
  data: donationData,
  status: "coming_soon"
})

const donationRefunded = defineEvent("donation.refunded", {
  description: "A donation is paid back.",
  data: donationData,
  status: "coming_soon"
})

export const donationEvents = [donationCreated, donationRefunded]

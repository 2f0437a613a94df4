/** The event of the webhook room: it makes the mail about an endpoint that receives nothing any more. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"

/** Appended in the transaction that opens the circuit. A probe that fails leaves it open and appends nothing. */
export const circuitOpened = defineEvent("internal.webhook_circuit_opened", {
  description: "The circuit of a webhook subscription opens: its events are lost until a probe succeeds.",
  data: Schema.Struct({
    subscriptionId: Schema.String,
    /** Where the last attempt went. */
    url: Schema.String,
    openedAt: Schema.String,
    /** Failed attempts in a row. */
    failureCount: Schema.Int,
    /** The status of the last response, or why there was none. */
    lastError: Schema.String
  }),
  internal: true
})
export type CircuitOpened = typeof circuitOpened.data.Type

export const webhookEvents = [circuitOpened]

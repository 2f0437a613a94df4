/** The internal event that the mail about a finished export is made from. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"

/**
 * `token` opens the file. It is sealed as the tokens of customers are (customer/CustomerEvents), for the export's id.
 */
export const exportCompleted = defineEvent("internal.export_complete", {
  description: "An export is done, and the owner of the store is told.",
  data: Schema.Struct({
    exportId: Schema.String,
    resource: Schema.String,
    rows: Schema.Int,
    token: Schema.String,
    expiresAt: Schema.String
  }),
  internal: true
})

export const exportEvents = [exportCompleted]

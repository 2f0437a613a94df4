/** Why a store cannot be moved. */
import { Schema } from "effect"

/** What is wrong with a file, or with the database it is to go to; a sentence that names the line, table or id. */
export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** The owner of a store: what mails to merchants read from dashboard_user, a table of the identity room. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { one } from "../database/Repository.ts"

export class OwnerView extends Context.Service<OwnerView>()("@effect-commerce/core/emailsetting/OwnerView", {
  make: Effect.map(Database, ({ sql }) => ({
    /** The address of the account's first dashboard user, the owner; null if there is none. */
    emailOf: (accountId: string): Effect.Effect<string | null> =>
      Effect.map(
        one(
          sql<{ readonly email: string }>`SELECT email FROM dashboard_user WHERE account_id = ${accountId}
            ORDER BY created_at, id LIMIT 1`
        ),
        (row) => row?.email ?? null
      )
  }))
}) {
  static readonly layer = Layer.effect(this, this.make)
}

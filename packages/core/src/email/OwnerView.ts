/** Who looks after a store: what mails to merchants need of dashboard_user, a table of the identity room. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"

export class OwnerView extends Context.Service<
  OwnerView,
  {
    /** The address of the account's first dashboard user, the owner; null where there is none. */
    readonly emailOf: (accountId: string) => Effect.Effect<string | null>
  }
>()("@effect-commerce/core/email/OwnerView") {
  static readonly layer = Layer.effect(
    OwnerView,
    Effect.map(Database, ({ sql }) =>
      OwnerView.of({
        emailOf: (accountId) =>
          Effect.orDie(
            Effect.map(
              sql<{
                readonly email: string
              }>`SELECT email FROM dashboard_user WHERE account_id = ${accountId} ORDER BY created_at, id LIMIT 1`,
              (rows) => rows[0]?.email ?? null
            )
          )
      })
    )
  )
}

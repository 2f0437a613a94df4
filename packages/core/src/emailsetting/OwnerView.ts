/** The owner of a store: what mails to merchants read from team_member, a table of the team room. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { one } from "../database/Repository.ts"

export class OwnerView extends Context.Service<OwnerView>()("@effect-commerce/core/emailsetting/OwnerView", {
  make: Effect.map(Database, ({ sql }) => ({
    /** The address of the store's longest-serving owner; null if there is none. */
    emailOf: (storeId: string): Effect.Effect<string | null> =>
      Effect.map(
        one(
          sql<{ readonly email: string }>`SELECT email FROM team_member
            WHERE store_id = ${storeId} AND role = 'owner' AND user_id IS NOT NULL ORDER BY created_at, id LIMIT 1`
        ),
        (row) => row?.email ?? null
      )
  }))
}) {
  static readonly layer = Layer.effect(this, this.make)
}

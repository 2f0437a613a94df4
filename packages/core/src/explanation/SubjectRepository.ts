/** The SQL that finds the store of a cart, a checkout or an order, by one index probe for each store. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { one } from "../database/Repository.ts"
import type { SubjectType } from "./Explanation.ts"

const tables: Readonly<Record<SubjectType, string>> = { cart: "cart", checkout: "checkout", order: "orders" }

export class SubjectRepository extends Context.Service<SubjectRepository>()(
  "@effect-commerce/core/explanation/SubjectRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      storeOf: (type: SubjectType, id: string) =>
        one(
          sql<{ readonly id: string }>`SELECT s.id FROM store s WHERE EXISTS
            (SELECT FROM ${sql(tables[type])} t WHERE t.store_id = s.id AND t.id = ${id}) LIMIT 1`,
          (row) => row.id
        )
    }))
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

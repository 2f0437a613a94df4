/** Reads what lines are made of, for lines that have no row of their own yet. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { customerInputsOf } from "../metafield/Customizations.ts"
import { type ChosenModifier, withDefaults } from "../modifier/LineModifiers.ts"
import { type OfferedSellable, type Sellable, sellableJoins, sellableJson } from "./Sellable.ts"

export interface SellableRef {
  readonly productId: string
  readonly variantId: string | null
  /** Absent: what the product's groups choose by default. */
  readonly modifiers?: ReadonlyArray<ChosenModifier> | undefined
}

/** Who sells something, and in which language. */
export interface SoldBy {
  readonly storeId: string
  /** The channel that it is sold on; null for a merchant's own sale. */
  readonly channelId: string | null
  /** Null for the store's own; or the SQL that finds it. */
  readonly locale: string | null | Statement.Fragment
}

export class SellableRepository extends Context.Service<SellableRepository>()(
  "@effect-commerce/core/pricing/SellableRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      /**
       * One statement for any number; returns them in the order of the request, undefined for a product that the store
       * does not have.
       */
      find: (
        { storeId, channelId, locale }: SoldBy,
        refs: ReadonlyArray<SellableRef>,
        now: Date
      ): Effect.Effect<ReadonlyArray<OfferedSellable | undefined>> => {
        const where = { channelId: sql`${channelId}::text`, locale: sql.literal("i.locale") }
        return Effect.orDie(
          Effect.map(
            sql<{
              readonly at: number
              readonly sellable: Sellable
              readonly inputs: OfferedSellable["customerInputs"] | null
            }>`SELECT i.at::int AS at, ${sellableJson(sql, now, where)} AS sellable,
                ${sql.literal(customerInputsOf("i.store_id", "i.product_id"))} AS inputs
                FROM (
                  SELECT ${storeId}::text AS store_id, ${locale}::text AS locale, r.product_id, r.variant_id,
                    r.modifiers, r.at
                  FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(refs)}::jsonb) AS ("productId" text,
                    "variantId" text, modifiers jsonb)) WITH ORDINALITY AS r (product_id, variant_id, modifiers, at)
                  OFFSET 0
                ) i ${sql.literal(sellableJoins)}`,
            (rows) => {
              const found = new Map(
                rows.map((row) => [row.at, { ...settled(row.sellable), customerInputs: row.inputs ?? [] }])
              )
              return refs.map((_ref, i) => found.get(i + 1))
            }
          )
        )
      }
    }))
  }
) {
  static readonly layer = Layer.effect(SellableRepository, SellableRepository.make)
}

/** With the default modifiers if none were chosen. */
const settled = (sellable: Sellable): Sellable =>
  sellable.modifiers === null ? sellable : { ...sellable, modifiers: withDefaults(sellable.modifiers) }

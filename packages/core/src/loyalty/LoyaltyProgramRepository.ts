/** The SQL of loyalty_program: one row for each store that has stated a programme. */
import { Context, Effect, Layer, Schema } from "effect"
import { Database } from "../database/Database.ts"
import { none, one, storedJson } from "../database/Repository.ts"
import type { VersionedRules } from "../store/compiledRules.ts"
import type { LoyaltyProgramState } from "./LoyaltyProgram.ts"

const readTiers = storedJson(
  "loyalty_program.tiers",
  Schema.Array(Schema.Struct({ name: Schema.String, threshold: Schema.Int, multiplier: Schema.Int }))
)

type Row = Omit<LoyaltyProgramState, "tiers"> & { readonly tiers: unknown }

const toState = (row: Row): LoyaltyProgramState => ({ ...row, tiers: readTiers(row.tiers) })

export interface LoyaltyRules extends VersionedRules {
  readonly program: LoyaltyProgramState | undefined
}

export class LoyaltyProgramRepository extends Context.Service<LoyaltyProgramRepository>()(
  "@effect-commerce/core/loyalty/LoyaltyProgramRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const columns = sql.literal(
        "p.currency, p.is_enabled, p.points_per_unit, p.currency_unit, p.redeem_rate, p.min_redeem, p.expiry_days, " +
          "p.tiers, p.referral_points, p.created_at, p.updated_at"
      )
      return {
        find: (storeId: string) =>
          one(sql<Row>`SELECT ${columns} FROM loyalty_program p WHERE p.store_id = ${storeId}`, toState),

        /** The programme with the version of the store's rules, in one snapshot. */
        readRules: (storeId: string) =>
          one(
            sql<VersionedRules & Row & { readonly isStated: boolean }>`SELECT s.rules_version,
                coalesce(s.xmin = pg_current_xact_id_if_assigned()::xid, false) AS uncommitted,
                p.store_id IS NOT NULL AS is_stated, ${columns}
              FROM store s LEFT JOIN loyalty_program p ON p.store_id = s.id WHERE s.id = ${storeId}`,
            ({ rulesVersion, uncommitted, isStated, ...row }): LoyaltyRules => ({
              rulesVersion,
              uncommitted,
              program: isStated ? toState(row) : undefined
            })
          ),

        put: (storeId: string, row: LoyaltyProgramState) =>
          none(sql`INSERT INTO loyalty_program (store_id, currency, is_enabled, points_per_unit, currency_unit,
              redeem_rate, min_redeem, expiry_days, tiers, referral_points, created_at, updated_at)
            VALUES (${storeId}, ${row.currency}, ${row.isEnabled}, ${row.pointsPerUnit}, ${row.currencyUnit},
              ${row.redeemRate}, ${row.minRedeem}, ${row.expiryDays}, ${JSON.stringify(row.tiers)}::jsonb,
              ${row.referralPoints},
              ${row.createdAt}, ${row.updatedAt})
            ON CONFLICT (store_id) DO UPDATE SET currency = EXCLUDED.currency, is_enabled = EXCLUDED.is_enabled,
              points_per_unit = EXCLUDED.points_per_unit, currency_unit = EXCLUDED.currency_unit,
              redeem_rate = EXCLUDED.redeem_rate, min_redeem = EXCLUDED.min_redeem,
              expiry_days = EXCLUDED.expiry_days, tiers = EXCLUDED.tiers,
              referral_points = EXCLUDED.referral_points, updated_at = EXCLUDED.updated_at`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

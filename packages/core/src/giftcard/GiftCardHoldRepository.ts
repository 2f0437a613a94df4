/** The SQL of gift_card_hold: what checkouts hold of cards, and what is free for one of them. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, one } from "../database/Repository.ts"
import type { ClaimHold } from "../claim/ClaimKind.ts"
import type { GiftCardState } from "./GiftCard.ts"

/** A card as a checkout may pay with it. */
export interface PayableCard
  extends Pick<GiftCardState, "id" | "codeLast4" | "balance" | "currency" | "disabledAt" | "expiresAt"> {
  /** Minor units that other checkouts hold. */
  readonly heldByOthers: bigint
}

/** What is held of a card, in minor units: by the holder and by others. */
export interface Held {
  readonly own: bigint
  readonly others: bigint
}

interface HolderNow {
  readonly holderId: string | null
  readonly now: Date
}

const columns = "g.id, g.code_last4, g.balance, g.currency, g.disabled_at, g.expires_at"

export class GiftCardHoldRepository extends Context.Service<GiftCardHoldRepository>()(
  "@effect-commerce/core/giftcard/GiftCardHoldRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database

      /** The card `g` with what others than the holder hold of it. */
      const payable = ({ holderId, now }: HolderNow) => sql`SELECT ${sql.literal(columns)},
          coalesce((SELECT sum(h.amount) FROM gift_card_hold h WHERE h.store_id = g.store_id
            AND h.gift_card_id = g.id AND h.holder_id IS DISTINCT FROM ${holderId}::text AND h.held_until > ${now}),
            0)::bigint AS held_by_others
        FROM gift_card g`

      return {
        /** By their ids. */
        payable: (storeId: string, ids: ReadonlyArray<string>, holder: HolderNow) =>
          Effect.map(
            many(sql<PayableCard>`${payable(holder)} WHERE g.store_id = ${storeId} AND g.id = ANY(${ids}::text[])`),
            (cards): ReadonlyMap<string, PayableCard> => new Map(cards.map((card) => [card.id, card]))
          ),
        payableByCode: (storeId: string, codeHash: string, holder: HolderNow) =>
          one(sql<PayableCard>`${payable(holder)} WHERE g.store_id = ${storeId} AND g.code_hash = ${codeHash}`),
        /** What is held now. The card is locked. */
        held: (storeId: string, id: string, { holderId, now }: HolderNow) =>
          Effect.map(
            one(
              sql<Held>`SELECT coalesce(sum(amount) FILTER (WHERE holder_id = ${holderId}::text), 0)::bigint AS own,
                  coalesce(sum(amount) FILTER (WHERE holder_id IS DISTINCT FROM ${holderId}::text), 0)::bigint AS others
                FROM gift_card_hold WHERE store_id = ${storeId} AND gift_card_id = ${id} AND held_until > ${now}`
            ),
            (found) => found ?? { own: 0n, others: 0n }
          ),
        hold: (storeId: string, { sourceId, holderId, amount, until }: ClaimHold) =>
          withCommit(
            sql`INSERT INTO gift_card_hold (store_id, gift_card_id, holder_id, amount, held_until)
              VALUES (${storeId}, ${sourceId}, ${holderId}, ${amount}, ${until})
              ON CONFLICT (store_id, gift_card_id, holder_id)
              DO UPDATE SET amount = EXCLUDED.amount, held_until = EXCLUDED.held_until`
          ),
        /** Ends what the holder holds of one card. */
        end: (storeId: string, id: string, holderId: string) =>
          withCommit(
            sql`DELETE FROM gift_card_hold
              WHERE store_id = ${storeId} AND gift_card_id = ${id} AND holder_id = ${holderId}`
          ),
        // gift_card_hold_store_id_holder_id_idx finds them.
        release: (storeId: string, holderId: string) =>
          withCommit(sql`DELETE FROM gift_card_hold WHERE store_id = ${storeId} AND holder_id = ${holderId}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(GiftCardHoldRepository, GiftCardHoldRepository.make)
}

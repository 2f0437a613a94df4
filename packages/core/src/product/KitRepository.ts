/** The SQL of kit_component: the components of kits, and the kits that contain a product. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none } from "../database/Repository.ts"
import { lockStoreFor } from "../database/StoreLocks.ts"
import type { KitComponent } from "../kernel/Kit.ts"
import type { ProductFields } from "./Product.ts"

/** A product that may become a component. */
export interface ComponentCandidate {
  readonly type: ProductFields["type"]
  /** The requested variants that belong to this product. */
  readonly variantIds: ReadonlyArray<string>
  /** Number of kits that already contain it: not deleted, and other than the kit being written. */
  readonly otherKits: number
}

export class KitRepository extends Context.Service<KitRepository>()("@effect-commerce/core/product/KitRepository", {
  make: Effect.map(Database, ({ sql }) => ({
    /** Locks the kits of the store until this transaction ends: no other one changes components or makes a KIT. */
    lockKits: (storeId: string) => none(lockStoreFor(sql, "kit", storeId)),

    /** Call it under `lockKits`. Unknown and deleted products are left out. */
    candidates: (storeId: string, kitId: string, components: ReadonlyArray<KitComponent>) => {
      const productIds = [...new Set(components.map(({ productId }) => productId))]
      const variantIds = components.flatMap(({ variantId }) => variantId ?? [])
      const read = many(sql<ComponentCandidate & { readonly id: string }>`SELECT p.id, p.type,
          ARRAY(SELECT v.id FROM product_variant v WHERE v.store_id = p.store_id AND v.product_id = p.id
            AND v.id = ANY(${variantIds}::text[])) AS variant_ids,
          (SELECT count(DISTINCT kc.kit_id)::int FROM kit_component kc JOIN product k ON k.store_id = kc.store_id
            AND k.id = kc.kit_id AND k.deleted_at IS NULL
            WHERE kc.store_id = p.store_id AND kc.product_id = p.id AND kc.kit_id <> ${kitId}) AS other_kits
        FROM product p WHERE p.store_id = ${storeId} AND p.id = ANY(${productIds}::text[]) AND p.deleted_at IS NULL`)
      return Effect.map(
        read,
        (rows): ReadonlyMap<string, ComponentCandidate> => new Map(rows.map((row) => [row.id, row]))
      )
    },

    setComponents: (storeId: string, kitId: string, components: ReadonlyArray<KitComponent>) =>
      Effect.andThen(
        none(sql`DELETE FROM kit_component WHERE store_id = ${storeId} AND kit_id = ${kitId}`),
        components.length === 0
          ? Effect.void
          : none(sql`INSERT INTO kit_component (store_id, kit_id, position, product_id, variant_id, quantity)
              SELECT ${storeId}, ${kitId}, c.position, c."productId", c."variantId", c.quantity
              FROM jsonb_to_recordset(${JSON.stringify(components.map((one, position) => ({ ...one, position })))}
                ::jsonb) AS c (position int, "productId" text, "variantId" text, quantity int)`)
      ),

    /**
     * Kits that contain one of the products, without deleted kits. Starts from the components and never scans the
     * products of the store: few products are components.
     */
    kitsWith: (storeId: string, productIds: ReadonlyArray<string>) =>
      many(
        sql<{ readonly id: string }>`SELECT k.id FROM (
            SELECT DISTINCT kc.kit_id AS id FROM kit_component kc
            WHERE kc.store_id = ${storeId} AND kc.product_id = ANY(${productIds}::text[])) k
          WHERE (SELECT p.deleted_at IS NULL FROM product p WHERE p.store_id = ${storeId} AND p.id = k.id)
          ORDER BY k.id`,
        ({ id }) => id
      )
  }))
}) {
  static readonly layer = Layer.effect(KitRepository, KitRepository.make)
}

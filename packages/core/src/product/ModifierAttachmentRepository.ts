/** The SQL of product_modifier_group: which modifier groups a product has, and how statements of products read them. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { AttachedGroup, Attachment } from "../modifier/ModifierFields.ts"
import { groupPairs, type ModifierGroupJson, toGroupFields } from "../modifier/ModifierColumns.ts"

export type AttachedGroupJson = Attachment & ModifierGroupJson

/** JSON of the modifier groups of a row `p` of product, in order; null where it has none. */
export const attachedGroupsJson = `CASE WHEN p.has_modifier_groups THEN (
    SELECT json_agg(json_build_object('attachmentId', a.id, 'groupId', a.group_id, 'variantId', a.variant_id,
      'position', a.position, 'minOverride', a.min_override, 'maxOverride', a.max_override, 'requiredOverride',
      a.required_override, 'freeQuantityOverride', a.free_quantity_override, 'freeAllocationPolicyOverride',
      a.free_allocation_policy_override, 'defaultModifierIds', a.default_modifier_ids, ${groupPairs})
      ORDER BY a.position, a.id)
    FROM product_modifier_group a JOIN modifier_group g ON g.store_id = a.store_id AND g.id = a.group_id
    WHERE a.store_id = p.store_id AND a.product_id = p.id) END`

export const toAttachedGroup = (group: AttachedGroupJson): AttachedGroup => ({ ...group, ...toGroupFields(group) })

/** Deleted since the body was checked: the group by another request, or the variant by the same body. */
const goneSince = constraintViolations({
  product_modifier_group_store_id_group_id_fkey: () =>
    FieldRejected.at("modifierGroups", "name a group that is being deleted"),
  product_modifier_group_store_id_variant_id_fkey: () =>
    FieldRejected.at("modifierGroups", "name a variant that is being deleted")
})

export class ModifierAttachmentRepository extends Context.Service<ModifierAttachmentRepository>()(
  "@effect-commerce/core/product/ModifierAttachmentRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      /** Replaces the modifier groups of a product whose row is locked. */
      replace: (storeId: string, productId: string, attachments: ReadonlyArray<Attachment>) =>
        none(
          goneSince(sql`WITH gone AS (
            DELETE FROM product_modifier_group WHERE store_id = ${storeId} AND product_id = ${productId}
              AND NOT id = ANY(${attachments.map(({ attachmentId }) => attachmentId)}::text[])
          ), told AS (
            UPDATE product SET has_modifier_groups = ${attachments.length > 0}
            WHERE store_id = ${storeId} AND id = ${productId}
          )
          INSERT INTO product_modifier_group (store_id, product_id, id, group_id, variant_id, position, min_override,
            max_override, required_override, free_quantity_override, free_allocation_policy_override,
            default_modifier_ids)
          SELECT ${storeId}, ${productId}, a."attachmentId", a."groupId", a."variantId", a.position,
            a."minOverride", a."maxOverride", a."requiredOverride", a."freeQuantityOverride",
            a."freeAllocationPolicyOverride", a."defaultModifierIds"
          FROM jsonb_to_recordset(${JSON.stringify(attachments)}::jsonb) AS a ("attachmentId" text, "groupId" text,
            "variantId" text, position int, "minOverride" int, "maxOverride" int, "requiredOverride" boolean,
            "freeQuantityOverride" int, "freeAllocationPolicyOverride" text, "defaultModifierIds" text[])
          ON CONFLICT (store_id, product_id, id) DO UPDATE SET position = EXCLUDED.position,
            min_override = EXCLUDED.min_override, max_override = EXCLUDED.max_override,
            required_override = EXCLUDED.required_override, free_quantity_override = EXCLUDED.free_quantity_override,
            free_allocation_policy_override = EXCLUDED.free_allocation_policy_override,
            default_modifier_ids = EXCLUDED.default_modifier_ids`)
        )
    }))
  }
) {
  static readonly layer = Layer.effect(ModifierAttachmentRepository, ModifierAttachmentRepository.make)
}

/** The part of a statement that reads what a line was taken from: carts and checkouts embed it beside their lines. */

/** JSON of a `LineOffer` from the columns of a row `i`; NULL for an ordinary line. By bundle_offer_pkey. */
export const lineOfferJson = `CASE WHEN i.offer_id IS NOT NULL THEN json_build_object('offerId', i.offer_id,
  'bundleItemId', i.bundle_item_id, 'terms', (SELECT json_build_object('kind', o.kind, 'isActive', o.is_active,
    'triggerProductId', o.trigger_product_id, 'productIds', o.product_ids, 'discountType', o.discount_type,
    'discountValue', o.discount_value::text) FROM bundle_offer o
    WHERE o.store_id = i.store_id AND o.id = i.offer_id)) END`

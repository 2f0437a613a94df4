/**
 * Asked by the doctor over a session of its own, and by the store room: how many stores have no sales channel with a
 * domain.
 */
export const storesWithoutDomain =
  "SELECT count(*)::int AS value FROM store s WHERE NOT EXISTS (SELECT FROM sales_channel c WHERE c.store_id = s.id " +
  "AND c.domain IS NOT NULL)"

/** How operations are read: every repository of provider_operation selects the same columns. */

/** The columns of a `ProviderOperation`, over `withCharge`. */
export const operationColumns =
  "a.id, a.kind, a.subject_type, a.subject_id, coalesce(a.charge_key, c.charge_key) AS charge_key, a.provider, " +
  "a.provider_id, a.account, a.mode, a.state, coalesce(a.external_id, c.external_id) AS external_id, a.amount, " +
  "a.captured, a.refunded, a.refunding, a.refund_key, a.currency, a.checks, a.looks, a.created_at, a.sent_at, " +
  "a.expires_at, a.released_at"

/** An operation `a` with the authorization `c` that made its charge. */
export const withCharge =
  "provider_operation a LEFT JOIN provider_operation c ON c.store_id = a.store_id AND c.id = a.charge_id"

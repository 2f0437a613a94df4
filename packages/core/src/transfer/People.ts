/**
 * Which columns say something of people, and what becomes of each where a store is exported with people made up. In a
 * table that is named here every column of texts, documents or bytes is declared, ids and columns that end in `_id`
 * excepted: a test fails for one that is not. A table that is not named has nothing of people.
 */

export type PeopleRule =
  /** Says nothing of a person. */
  | "keep"
  /** Nothing is left of it. */
  | "none"
  /** `{}` or `[]`. */
  | "emptied"
  | "email"
  | "firstName"
  | "lastName"
  | "phone"
  /** Some words that are the same wherever the original was the same. */
  | "text"
  /** An id of ours stays; anything else becomes some words, also one word or a number: they may be a person's. */
  | "words"
  /** A JSON document, each text of it by the name of its field. */
  | "document"
  | "url"
  /** A secret: a new one that nobody knows, as 64 hex digits. */
  | "secret"
  | "lastDigits"

/** Rules by the columns that they are for. */
type Columns = Partial<Readonly<Record<PeopleRule, string>>>

const declared: Readonly<Record<string, Columns>> = {
  app_inbound: { keep: "topic content_type body" },
  app_mapping: {
    keep: "resource_type platform_code sync_status",
    url: "external_url",
    text: "last_sync_error",
    emptied: "metadata"
  },
  cancellation: { text: "reason", document: "actor", words: "request_key" },
  cart: {
    keep: "status currency coupon_code merged_into locale",
    secret: "session_token",
    text: "notes",
    none: "analytics_client_id analytics_session_id"
  },
  cart_item: { keep: "modifiers", text: "identity notes", emptied: "metadata customizations" },
  charge_request: { keep: "kind", document: "actor", words: "request_key" },
  checkout: {
    keep: "status currency coupon_code locale delivery_type pickup_location presented_in",
    email: "email",
    document: "customer shipping_address billing_address tenders draft_terms",
    text: "notes",
    emptied: "custom_field_values"
  },
  checkout_line: { keep: "modifiers name", text: "notes", emptied: "metadata customizations" },
  coupon: {
    keep:
      "code code_key title description type percentage applicable_products excluded_products applicable_categories " +
      "excluded_categories region_ids channels channel_ids source",
    emptied: "conditions"
  },
  customer: {
    keep: "referral_code locale",
    email: "email",
    firstName: "first_name",
    lastName: "last_name",
    phone: "phone",
    none: "password_hash birth_month birth_day",
    text: "external_id"
  },
  customer_address: { text: "label", document: "address" },
  customer_logout: { keep: "jti" },
  dispute: { keep: "status", text: "reason" },
  draft_order: { keep: "currency", email: "email", document: "body priced", secret: "invoice_token_hash" },
  email_click: { keep: "url_hash", url: "url" },
  email_message: {
    keep: "event_type from_name status",
    email: "to_address from_address reply_to",
    text: "subject html plain_text last_error",
    none: "sealed unsubscribe_url"
  },
  email_settings: {
    keep: "default_from_name footer_address",
    email: "default_reply_to",
    document: "event_settings",
    text: "marketing_pause_reason"
  },
  email_suppression: { email: "email" },
  event: { keep: "type", document: "data" },
  fulfilment: { keep: "carrier", text: "tracking_number", url: "tracking_url", document: "actor" },
  gift_card: {
    keep: "currency",
    secret: "code_hash",
    lastDigits: "code_last4",
    email: "recipient_email",
    text: "sender_name message note"
  },
  gift_card_transaction: { keep: "type", text: "reason" },
  invoice: { keep: "series", document: "parties" },
  loyalty_transaction: { keep: "type cause", text: "reason" },
  media_file: { keep: "purpose key thumbnail_key mime_type content_hash thumbnail_hash name alt" },
  newsletter_signup: { email: "email", keep: "locale", secret: "token_hash" },
  oauth_identity: { keep: "provider issuer subject" },
  order_download: { keep: "product_name file_name url storage_key mime_type", emptied: "links" },
  order_item: { keep: "sku name image tax_lines modifiers kit_components", emptied: "metadata customizations" },
  order_note: { text: "text", document: "actor" },
  orders: {
    keep:
      "platform source_name status financial_status fulfillment_status currency tax_breakdown coupon_code " +
      "shipping_selection delivery_type pickup_location payment_method carrier locale presentment explanation",
    email: "email",
    document: "customer shipping_address billing_address status_history",
    text: "notes sync_warning tracking_number",
    url: "tracking_url",
    emptied: "custom_field_values admin_field_values"
  },
  payment: {
    keep: "provider method status currency",
    words: "reference",
    text: "failure",
    document: "actor",
    url: "manual_refund_url"
  },
  provider_operation: {
    keep: "charge_key provider currency kind subject_type state account mode refund_key",
    text: "error attention",
    document: "details answer",
    none: "next_action"
  },
  refund: { keep: "status type source key", text: "reason", document: "actor" },
  refund_request: { text: "reason", words: "request_key" },
  review: { keep: "status locale", firstName: "author_name", text: "title body reply", emptied: "photos" },
  stock_alert: { keep: "key locale", email: "email" },
  stock_movement: { keep: "key reason", words: "reference" },
  test_charge: {
    keep: "charge_key status currency reference",
    url: "action_url",
    text: "reason",
    document: "changes disputes"
  },
  webhook_delivery: { keep: "status lease", document: "attempts" },
  webhook_subscription: { keep: "events secret secret_prefix", url: "url", text: "description" }
}

const byColumn = (columns: Columns): ReadonlyMap<string, PeopleRule> =>
  new Map(
    (Object.entries(columns) as ReadonlyArray<[PeopleRule, string]>).flatMap(([rule, names]) =>
      names.split(" ").map((name) => [name, rule] as const)
    )
  )

/** By table, the rule of each declared column. */
export const people: ReadonlyMap<string, ReadonlyMap<string, PeopleRule>> = new Map(
  Object.entries(declared).map(([table, columns]) => [table, byColumn(columns)])
)

/**
 * What a store's file carries of each table. Every table of the schema is carried whole unless it is named here; a test
 * compares this with the catalogue of a migrated database, so that nobody forgets a new one that belongs to no store.
 */

/** Tables that are not carried, each with its reason. */
export const leftOut: Readonly<Record<string, string>> = {
  account: "belongs to the installation: an import makes one, or takes the one that is named",
  api_key: "a credential of the old installation: keys are made again",
  app_token: "a credential of the old installation: each app gets one that nobody knows, until its token is renewed",
  commerce_migration: "says which schema the database has, not what a store has; the header names the newest",
  customer_token: "links in mails of the old installation, which end within hours",
  dashboard_reset: "a link in a mail of the old installation",
  dashboard_session: "a log-in at the old installation",
  dashboard_user: "a person of the installation, who may work for several stores: invited again",
  event_listener: "which functions the processes of a host have",
  event_listener_cursor: "how far a function of the old host is; one of the new host begins where the import ends",
  export_job: "its files are kept for a day, and are asked for again",
  export_part: "as export_job",
  catalog_version: "what processes remember by; triggers write it anew",
  email_pace: "how fast mails left just now",
  idempotency: "answers to requests of the last day, made to the old installation",
  oauth_used_state: "sign-ins that began at the old installation, minutes ago",
  product_document: "composed anew from the products",
  product_import: "what an import of products has reported; the products are carried",
  product_import_row: "as product_import",
  product_listing: "composed anew from the products",
  product_stale: "marks of products to be composed; the import has them composed",
  provider_notice: "what payment companies have sent to the old address; what they say is asked for again",
  rate_window: "counters of the last hour",
  search_name: "written anew by triggers, from the names",
  search_word: "composed anew from the products",
  shared_size: "counted anew by triggers",
  team_member: "people of the installation: invited again",
  webhook_delivery_count: "counted anew by triggers"
}

/** SQL in which `t` is the row, `$1` the store and `$2` the moment of the export. */
export interface Carried {
  /** Only these rows. */
  readonly rows?: string
  /** Columns with another value, as an expression. */
  readonly set?: Readonly<Record<string, string>>
  /** With its identity column, which somebody outside remembers; that of other tables is counted anew. */
  readonly numbered?: boolean
  /** Columns that the import fills. */
  readonly without?: ReadonlyArray<string>
  /** Tables whose rows come first, besides those that foreign keys name. */
  readonly after?: ReadonlyArray<string>
}

export const carried: Readonly<Record<string, Carried>> = {
  // Whoever imports says whose it is.
  store: { without: ["account_id"] },
  // Relayed by the old installation: nobody is told twice. Those that it has not relayed come last in the feed.
  // Receivers compare `seq`, which they see as `sequence`.
  event: {
    numbered: true,
    set: {
      relayed_at: "coalesce(t.relayed_at, $2::timestamptz)",
      position:
        'coalesce(t."position", coalesce(greatest((SELECT max(e."position") FROM event e WHERE e.store_id = $1), ' +
        "(SELECT f.removed FROM event_feed f WHERE f.store_id = $1)), 0) + " +
        'row_number() OVER (PARTITION BY t."position" IS NULL ORDER BY t.seq))::text'
    }
  },
  // Stock that is inserted would find its watches, and take what was sold out for what has come back.
  stock_watch: { after: ["stock", "kit_component"] },
  // What is due is sent by the old installation.
  email_message: { rows: "t.status <> 'QUEUED'" },
  webhook_delivery: { rows: "t.status <> 'pending'" }
}

/** What differs where people are made up: on top of `carried`. */
export const carriedAnonymised: Readonly<Record<string, Carried>> = {
  // Of people alone.
  app_inbound: { rows: "false" },
  customer_logout: { rows: "false" },
  oauth_identity: { rows: "false" },
  app_installation: { set: { inbound_bytes: "'0'" } },
  // Pictures that shoppers have sent.
  media_file: { rows: "t.purpose = 'library'" },
  media_storage: {
    set: {
      used_bytes:
        "(SELECT coalesce(sum(f.stored_bytes), 0)::text FROM media_file f WHERE f.store_id = $1 " +
        "AND f.purpose = 'library' AND NOT f.unclaimed AND f.deleted_at IS NULL)",
      unclaimed_bytes: "'0'"
    }
  },
  // No real payment is made in a copy, and no company is asked about payments of the original.
  sales_channel: { set: { mode: "'test'" } },
  provider_operation: {
    set: {
      check_at: "CASE WHEN t.state <> 'absent' AND t.check_at IS NOT NULL THEN '2200-01-01T00:00:00Z'::timestamptz END"
    }
  }
}

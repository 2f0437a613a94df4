/** What waits for a worker or a person, by kind, and where it is stored: for metrics and their dashboard. */

export interface WaitingRows {
  readonly table: string
  /** As the table's partial index has it. */
  readonly condition: string
  /** The time from which a row waits; of some it is not known. */
  readonly due?: string
  /** What that index begins with: rows of one store, and of one receiver of it, are one line. */
  readonly lines: ReadonlyArray<string>
  /** What it goes on with: the first of a line has waited longest. */
  readonly first?: string
}

/** Of each table: more are told as this many, so that a scrape costs the same on the worst day. */
export const mostCounted = 10_000

const mails = (condition: string, first: string): WaitingRows => ({
  table: "email_message",
  condition: `status = 'QUEUED' AND ${condition}`,
  due: "due_at",
  lines: ["store_id", "priority"],
  first
})
const dueRows = (table: string, due: string, lines: ReadonlyArray<string>): WaitingRows => ({
  table,
  condition: `${due} IS NOT NULL`,
  due,
  lines,
  first: due
})

const kinds = {
  /** Events that no consumer has yet. */
  event: [{ table: "event", condition: "relayed_at IS NULL", due: "created_at", lines: ["store_id"], first: "seq" }],
  webhook_delivery: [dueRows("webhook_delivery", "due_at", ["store_id", "subscription_id"])],
  mail: [
    mails("attempts > 0", "due_at"),
    mails("attempts = 0 AND counted_at IS NOT NULL", "due_at"),
    mails("attempts = 0 AND counted_at IS NULL", "seq")
  ],
  export: [dueRows("export_job", "due_at", ["store_id"])],
  /** Products whose documents a worker or their next reader composes. */
  stale_product: [{ table: "product_stale", condition: "true", lines: ["store_id"] }],
  /** Operations of payment providers whose outcome is asked for again. */
  payment_look: [dueRows("provider_operation", "check_at", ["store_id", "provider_id"])],
  /** Payments and notices that need a person, as `commerce payments list` names them. */
  payment_attention: [
    dueRows("provider_operation", "attention_at", ["store_id"]),
    {
      table: "provider_notice",
      condition: "(state = 'set_aside' OR (state = 'open' AND attention_at IS NOT NULL))",
      due: "coalesce(attention_at, received_at)",
      lines: [],
      first: "received_at"
    }
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<WaitingRows>>>

export type BacklogKind = keyof typeof kinds

export const backlogKinds: Readonly<Record<BacklogKind, ReadonlyArray<WaitingRows>>> = kinds

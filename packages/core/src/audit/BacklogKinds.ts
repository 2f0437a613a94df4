/** What waits for a worker or a person, by kind, and where it is stored: for metrics and their dashboard. */

interface WaitingRows {
  readonly table: string
  /** The time from which a row waits. */
  readonly due: string
  /** As the table's partial index has it. */
  readonly condition: string
}

/** Of each table: more are told as this many, so that a scrape costs the same on the worst day. */
export const mostCounted = 10_000

const queued = "status = 'QUEUED'"
const mails = (condition: string): WaitingRows => ({
  table: "email_message",
  due: "due_at",
  condition: `${queued} AND ${condition}`
})

export const backlogKinds = {
  /** Events that no consumer has yet. */
  event: [{ table: "event", due: "created_at", condition: "relayed_at IS NULL" }],
  webhook_delivery: [{ table: "webhook_delivery", due: "due_at", condition: "due_at IS NOT NULL" }],
  mail: [
    mails("attempts > 0"),
    mails("attempts = 0 AND counted_at IS NOT NULL"),
    mails("attempts = 0 AND counted_at IS NULL")
  ],
  export: [{ table: "export_job", due: "due_at", condition: "due_at IS NOT NULL" }],
  /** Products whose documents a worker or their next reader composes. */
  stale_product: [{ table: "product_stale", due: "NULL::timestamptz", condition: "true" }],
  /** Operations of payment providers whose outcome is asked for again. */
  payment_look: [{ table: "provider_operation", due: "check_at", condition: "check_at IS NOT NULL" }],
  /** Payments and notices that need a person, as `commerce payments list` names them. */
  payment_attention: [
    { table: "provider_operation", due: "attention_at", condition: "attention_at IS NOT NULL" },
    {
      table: "provider_notice",
      due: "coalesce(attention_at, received_at)",
      condition: "(state = 'set_aside' OR (state = 'open' AND attention_at IS NOT NULL))"
    }
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<WaitingRows>>>

export type BacklogKind = keyof typeof backlogKinds

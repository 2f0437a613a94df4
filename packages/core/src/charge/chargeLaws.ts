/** What must hold for operations of payment providers. */
import type { Law } from "../database/Law.ts"

export const chargeLaws: ReadonlyArray<Law> = [
  {
    law: "operation.charge",
    says: "an operation on a charge is of its provider and its currency",
    table: "provider_operation",
    sql: `SELECT a.id, c.provider || ' ' || c.currency AS expected, a.provider || ' ' || a.currency AS found
      FROM provider_operation a JOIN provider_operation c ON c.store_id = $1 AND c.id = a.charge_id
      WHERE a.store_id = $1 AND (c.kind <> 'authorize' OR (a.provider, a.currency) <> (c.provider, c.currency))`
  },
  {
    law: "operation.watched",
    says: "an operation whose outcome is open has a time at which it is looked at, and none that is over has one",
    table: "provider_operation",
    // What never arrived is looked for during a day, what was given up until it is released.
    sql: `SELECT a.id, CASE WHEN a.check_at IS NULL THEN 'a time' ELSE 'no time' END AS expected,
        a.state || coalesce(' ' || a.check_at, '') AS found FROM provider_operation a
      WHERE a.store_id = $1 AND (
        (a.check_at IS NULL AND a.state IN ('calling', 'awaiting_shopper', 'pending', 'refund_due'))
        OR (a.check_at IS NOT NULL AND (a.state IN ('declined', 'refunded')
          OR (a.kind <> 'authorize' AND a.state IN ('succeeded', 'failed'))
          OR (a.state = 'failed' AND a.released_at IS NULL)
          OR (a.state = 'absent' AND a.check_at > a.sent_at + interval '2 days'))))`
  },
  {
    law: "operation.followed",
    says: "a charge that is not final is looked at again",
    table: "provider_operation",
    // Charges that no answer was stored of are older than this rule.
    sql: `SELECT a.id, 'a time' AS expected, 'captured ' || a.captured || ' of ' || a.amount || ', ' || c.state AS found
      FROM provider_operation a CROSS JOIN LATERAL (SELECT a.answer->'data'->'charge'->>'state' AS state,
          jsonb_path_exists(a.answer, '$.data.charge.refunds[*] ? (@.status == "pending")')
            OR jsonb_path_exists(a.answer, '$.data.charge.disputes[*] ? (@.status == "open")') AS is_moving) c
      WHERE a.store_id = $1 AND a.kind = 'authorize' AND a.state = 'succeeded' AND a.check_at IS NULL
        AND c.state IS NOT NULL
        AND (c.is_moving OR (a.captured < a.amount AND a.released_at IS NULL AND c.state NOT IN ('failed', 'voided')))`
  },
  {
    law: "operation.attention",
    says: "no operation needs a person",
    table: "provider_operation",
    sql: `SELECT a.id, NULL AS expected, a.attention AS found FROM provider_operation a
      WHERE a.store_id = $1 AND a.attention_at IS NOT NULL`
  }
]

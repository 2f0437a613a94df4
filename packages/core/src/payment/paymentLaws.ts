/** What must hold for operations of payment providers and for their notices. */
import type { Law } from "../database/Law.ts"

export const paymentLaws: ReadonlyArray<Law> = [
  {
    law: "operation.charge",
    says: "an operation on a charge is of its provider and its currency",
    table: "provider_operation",
    sql: `SELECT a.id, c.provider || ' ' || c.currency AS expected, a.provider || ' ' || a.currency AS found
      FROM provider_operation a JOIN provider_operation c ON c.store_id = $1 AND c.id = a.charge_id
      WHERE a.store_id = $1 AND (c.kind <> 'authorize' OR (a.provider, a.currency) <> (c.provider, c.currency))`
  },
  {
    law: "provider.notices",
    says: "notices of a provider could be read",
    table: "provider_event",
    sql: `SELECT e.provider || ' ' || e.event_id AS id, NULL AS expected, 'set aside: ' || e.set_aside AS found
      FROM provider_event e WHERE e.store_id = $1 AND e.set_aside IS NOT NULL AND e.applied_at IS NULL`
  }
]

/** The laws of e-mail domains. */
import type { Law } from "../database/Law.ts"

export const emailDomainLaws: ReadonlyArray<Law> = [
  {
    law: "email_domain.verified",
    says: "a verified domain has had its ownership and its key found",
    table: "email_domain",
    sql: `SELECT d.id, 'OWNERSHIP and DKIM VERIFIED' AS expected, d.checks::text AS found FROM email_domain d
      WHERE d.store_id = $1 AND d.status = 'VERIFIED'
        AND (d.checks->>'OWNERSHIP' IS DISTINCT FROM 'VERIFIED' OR d.checks->>'DKIM' IS DISTINCT FROM 'VERIFIED')`
  },
  {
    law: "email_domain.sealed",
    says: "no key of a domain is stored in the clear",
    table: "email_domain",
    sql: `SELECT d.id, 'sealed' AS expected, 'in the clear' AS found FROM email_domain d
      WHERE d.store_id = $1 AND d.private_key LIKE '%PRIVATE KEY%'`
  }
]

/** One fault for each law of accounts at login providers, of e-mail domains and of addresses that unsubscribed. */
import type { Plant } from "./plants.ts"

const customer = (store: string, more: { readonly column: string; readonly value: string }) =>
  `INSERT INTO customer (store_id, id, created_at, updated_at, ${more.column})
    VALUES ('${store}', 'cust_1', now(), now(), ${more.value})`
const identity = (store: string, untilVersion: string) =>
  `INSERT INTO oauth_identity (store_id, provider, issuer, subject, customer_id, until_password_version, created_at,
      last_used_at)
    VALUES ('${store}', 'GOOGLE', 'https://accounts.google.com', '1', 'cust_1', ${untilVersion}, now(), now())`
const domain = (store: string, status: string, privateKey: string) =>
  `INSERT INTO email_domain (store_id, id, domain, status, token, selector, public_key, private_key, checks,
      verified_at, created_at, updated_at)
    VALUES ('${store}', 'dom_1', 'shop.example', '${status}', 't', 's', 'p', '${privateKey}',
      '{"OWNERSHIP": "VERIFIED", "DKIM": "PENDING"}', now(), now(), now())`

export const addressPlants: ReadonlyArray<Plant> = [
  {
    law: "oauth.identity-of-a-customer",
    plant: ({ store }) => [customer(store, { column: "deleted_at", value: "now()" }), identity(store, "NULL")],
    told: () => ({ id: "cust_1", expected: "0", found: "1" })
  },
  {
    law: "oauth.identity-of-a-password",
    plant: ({ store }) => [customer(store, { column: "email", value: "'ada@example.com'" }), identity(store, "7")],
    told: () => ({ id: "cust_1", expected: "<= 1", found: "7" })
  },
  {
    law: "email_domain.verified",
    plant: ({ store }) => [domain(store, "VERIFIED", "sealed")],
    told: () => ({
      id: "dom_1",
      expected: "OWNERSHIP and DKIM VERIFIED",
      found: '{"DKIM": "PENDING", "OWNERSHIP": "VERIFIED"}'
    })
  },
  {
    law: "email_domain.sealed",
    plant: ({ store }) => [domain(store, "PENDING", "-----BEGIN PRIVATE KEY-----")],
    told: () => ({ id: "dom_1", expected: "sealed", found: "in the clear" })
  },
  {
    law: "email.unsubscribed",
    plant: ({ store }) => [
      `INSERT INTO email_suppression (store_id, email, created_at)
        VALUES ('${store}', 'ada@example.com', '2026-01-01T00:00:00Z')`,
      `INSERT INTO email_message (store_id, id, event_type, to_address, from_name, from_address, subject, html,
          plain_text, status, due_at, created_at, updated_at)
        VALUES ('${store}', 'mail_1', 'MARKETING_CAMPAIGN', 'ada@example.com', 'Shop', 'shop@example.com', 'News', '-',
          '-', 'SENT', now(), '2026-01-02T00:00:00Z', now())`
    ],
    told: () => ({ id: "mail_1", expected: "none after 2026-01-01 00:00:00+00", found: "2026-01-02 00:00:00+00" })
  }
]

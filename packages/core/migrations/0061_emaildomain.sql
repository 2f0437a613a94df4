-- Domains that a store's mails may come from. A row proves itself by a record of its own (`token`), so that a domain can be set up by several stores of one
-- merchant and by no stranger. `private_key` signs the mails (DKIM) and is sealed (AES-256-GCM). `checks` is what the last look at the domain's records has
-- found, by the purpose of the record.
CREATE TABLE email_domain (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  domain text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'PENDING',
  token text NOT NULL,
  selector text NOT NULL,
  public_key text NOT NULL,
  private_key text NOT NULL,
  checks jsonb NOT NULL DEFAULT '{}',
  verified_at timestamptz,
  last_checked_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT email_domain_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT email_domain_store_id_domain_key UNIQUE (store_id, domain),
  CONSTRAINT email_domain_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT email_domain_status_check CHECK (status IN ('PENDING', 'VERIFIED', 'FAILED')),
  CONSTRAINT email_domain_verified_at_check CHECK (status <> 'VERIFIED' OR verified_at IS NOT NULL)
);
-- The domains that are looked at again every day: those that were verified once.
CREATE INDEX email_domain_store_id_last_checked_at_idx ON email_domain (store_id, last_checked_at) WHERE status <> 'PENDING';
SELECT tenant_table('email_domain');

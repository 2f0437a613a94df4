-- What a shopper gets for confirming a newsletter sign-up: one row for each store that has set it.
CREATE TABLE newsletter_benefit (
  store_id text COLLATE "C" NOT NULL,
  is_enabled boolean NOT NULL,
  type text NOT NULL,
  -- A percentage, or an amount in major units, by its type.
  value text NOT NULL,
  expires_in_days int NOT NULL,
  minimum_order_amount bigint,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT newsletter_benefit_pkey PRIMARY KEY (store_id),
  CONSTRAINT newsletter_benefit_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT newsletter_benefit_type_check CHECK (type IN ('PERCENTAGE', 'FIXED_AMOUNT')),
  CONSTRAINT newsletter_benefit_minimum_order_amount_check CHECK (minimum_order_amount >= 0)
);
SELECT tenant_table('newsletter_benefit');

-- Mailboxes that signed up. A mailbox is confirmed by the token that was mailed to it, and gets one coupon.
CREATE TABLE newsletter_signup (
  store_id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C",
  locale text,
  token_hash text COLLATE "C" NOT NULL,
  token_expires_at timestamptz NOT NULL,
  -- Mails to it since mails_since: a flood of requests sends no flood of mails.
  mails int NOT NULL,
  mails_since timestamptz NOT NULL,
  confirmed_at timestamptz,
  coupon_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  CONSTRAINT newsletter_signup_pkey PRIMARY KEY (store_id, email),
  CONSTRAINT newsletter_signup_store_id_token_hash_key UNIQUE (store_id, token_hash),
  CONSTRAINT newsletter_signup_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT newsletter_signup_coupon_id_check CHECK (coupon_id IS NULL OR confirmed_at IS NOT NULL)
);
-- What is deleted because nobody confirmed it.
CREATE INDEX newsletter_signup_pending_idx ON newsletter_signup (store_id, token_expires_at) WHERE confirmed_at IS NULL;
SELECT tenant_table('newsletter_signup');

-- Mail of a store: its settings, its own templates, the queue and record of what was mailed, and how fast it may leave.
-- The row appears with the first write; without one the defaults of the code hold.
CREATE TABLE email_settings (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  emails_enabled boolean NOT NULL,
  default_from_name text,
  default_reply_to text,
  event_settings jsonb NOT NULL,
  hourly_rate_limit int NOT NULL,
  click_tracking_enabled boolean NOT NULL,
  footer_address text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT email_settings_pkey PRIMARY KEY (store_id),
  CONSTRAINT email_settings_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT email_settings_hourly_rate_limit_check CHECK (hourly_rate_limit BETWEEN 1 AND 1000)
);
SELECT tenant_table('email_settings');

CREATE TABLE email_template (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  event_type text NOT NULL,
  language text NOT NULL,
  subject text NOT NULL,
  html_content text NOT NULL,
  text_content text,
  variables jsonb NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT email_template_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT email_template_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
CREATE INDEX email_template_store_id_created_at_idx ON email_template (store_id, created_at, id);
CREATE UNIQUE INDEX email_template_store_id_event_type_language_key ON email_template (store_id, event_type, language) WHERE is_active;
SELECT tenant_table('email_template');

-- `event_id` is the outbox event a mail was made of, null where a person sent it; one event makes one mail of a type, however often it is relayed.
-- `html` and `plain_text` never hold a token while mails leave through SMTP: the bodies that do are in `sealed` (AES-256-GCM) until they have left.
-- `due_at` of a QUEUED mail that was tried is the time of the next attempt, and the end of the lease of the worker that is trying.
CREATE TABLE email_message (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  event_id text COLLATE "C",
  event_type text NOT NULL,
  to_address text NOT NULL,
  from_name text NOT NULL,
  from_address text NOT NULL,
  reply_to text,
  subject text NOT NULL,
  html text NOT NULL,
  plain_text text NOT NULL,
  sealed text,
  status text NOT NULL DEFAULT 'QUEUED',
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  last_error text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Which mails of a store leave first, how often an address is written to, and until when a mail is of use.
  -- `priority`: 0 for mails with a token, 1 for confirmations of orders, 2 for the rest. `counted_at` is when a mail counts against its address: its first
  -- attempt, or, of a mail that waits because its address has had as many as it may, when it may leave. `expires_at`: when the link in it ends.
  priority smallint NOT NULL DEFAULT 2,
  -- Which mails of a store leave first, how often an address is written to, and until when a mail is of use.
  -- `priority`: 0 for mails with a token, 1 for confirmations of orders, 2 for the rest. `counted_at` is when a mail counts against its address: its first
  -- attempt, or, of a mail that waits because its address has had as many as it may, when it may leave. `expires_at`: when the link in it ends.
  counted_at timestamptz,
  -- Which mails of a store leave first, how often an address is written to, and until when a mail is of use.
  -- `priority`: 0 for mails with a token, 1 for confirmations of orders, 2 for the rest. `counted_at` is when a mail counts against its address: its first
  -- attempt, or, of a mail that waits because its address has had as many as it may, when it may leave. `expires_at`: when the link in it ends.
  expires_at timestamptz,
  CONSTRAINT email_message_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT email_message_store_id_event_id_event_type_key UNIQUE (store_id, event_id, event_type),
  CONSTRAINT email_message_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT email_message_priority_check CHECK (priority BETWEEN 0 AND 2),
  CONSTRAINT email_message_status_check CHECK (status IN ('QUEUED', 'SENT', 'KEPT', 'FAILED'))
);
CREATE INDEX email_message_store_id_priority_due_at_again_idx ON email_message (store_id, priority, due_at, seq) WHERE status = 'QUEUED' AND attempts > 0;
CREATE INDEX email_message_store_id_priority_due_at_held_idx ON email_message (store_id, priority, due_at, seq) WHERE status = 'QUEUED' AND attempts = 0 AND counted_at IS NOT NULL;
-- Never looked at; waiting for their address; to be tried again.
CREATE INDEX email_message_store_id_priority_seq_fresh_idx ON email_message (store_id, priority, seq) WHERE status = 'QUEUED' AND attempts = 0 AND counted_at IS NULL;
CREATE INDEX email_message_store_id_seq_idx ON email_message (store_id, seq);
CREATE INDEX email_message_store_id_to_address_counted_at_idx ON email_message (store_id, to_address, counted_at);
SELECT tenant_table('email_message');

-- The token bucket of a store's mails, as one instant: when it will be full again. Locked by whoever takes the next mail of the store.
CREATE TABLE email_pace (
  store_id text COLLATE "C" NOT NULL,
  full_at timestamptz NOT NULL,
  CONSTRAINT email_pace_pkey PRIMARY KEY (store_id),
  CONSTRAINT email_pace_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
SELECT tenant_table('email_pace');

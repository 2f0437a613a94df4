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
CREATE UNIQUE INDEX email_template_store_id_event_type_language_key ON email_template (store_id, event_type, language) WHERE is_active;
CREATE INDEX email_template_store_id_created_at_idx ON email_template (store_id, created_at, id);

-- `event_id` is the outbox event a mail was made of, null where a person sent it; one event makes one mail of a type, however often it is relayed.
-- `html` and `plain_text` never hold a token while mails leave through SMTP: the bodies that do are in `sealed` (AES-256-GCM) until they have left.
-- `due_at` of a QUEUED mail that was tried is the time of the next attempt, and the end of the lease of the worker that is trying.
CREATE TABLE email_message (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
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
  CONSTRAINT email_message_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT email_message_store_id_event_id_event_type_key UNIQUE (store_id, event_id, event_type),
  CONSTRAINT email_message_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT email_message_status_check CHECK (status IN ('QUEUED', 'SENT', 'KEPT', 'FAILED'))
);
CREATE INDEX email_message_store_id_seq_idx ON email_message (store_id, seq);
CREATE INDEX email_message_store_id_seq_fresh_idx ON email_message (store_id, seq) WHERE status = 'QUEUED' AND attempts = 0;
CREATE INDEX email_message_store_id_due_at_again_idx ON email_message (store_id, due_at) WHERE status = 'QUEUED' AND attempts > 0;

-- The token bucket of a store's mails, as one instant: when it will be full again. Locked by whoever takes the next mail of the store.
CREATE TABLE email_pace (
  store_id text COLLATE "C" NOT NULL,
  full_at timestamptz NOT NULL,
  CONSTRAINT email_pace_pkey PRIMARY KEY (store_id),
  CONSTRAINT email_pace_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);

SELECT tenant_table(t::regclass) FROM unnest(ARRAY['email_settings', 'email_template', 'email_message', 'email_pace']) AS t;

-- Addresses that want no marketing mail of the store any more, normalised. They are kept until their owner signs up again.
CREATE TABLE email_suppression (
  store_id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT email_suppression_pkey PRIMARY KEY (store_id, email),
  CONSTRAINT email_suppression_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id)
);
SELECT tenant_table('email_suppression');

-- How often each link of a marketing mail was followed, while the mail is kept.
CREATE TABLE email_click (
  store_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  url_hash text NOT NULL,
  url text NOT NULL,
  clicks int NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  CONSTRAINT email_click_pkey PRIMARY KEY (store_id, message_id, url_hash),
  CONSTRAINT email_click_store_id_message_id_fkey FOREIGN KEY (store_id, message_id) REFERENCES email_message (store_id, id) ON DELETE CASCADE,
  CONSTRAINT email_click_clicks_check CHECK (clicks > 0)
);
SELECT tenant_table('email_click');

-- Fields that a store adds to its checkouts. `options` is [{ value, label, surcharge }], `surcharge` is { type, amount } or NULL: minor units of the
-- store's currency for FIXED, a percentage for PERCENTAGE, both as text.
CREATE TABLE checkout_field (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  required boolean NOT NULL,
  options jsonb NOT NULL,
  surcharge jsonb,
  position int NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT checkout_field_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT checkout_field_store_id_key_key UNIQUE (store_id, key),
  CONSTRAINT checkout_field_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT checkout_field_type_check CHECK (type IN ('text', 'textarea', 'select', 'checkbox', 'date', 'number')),
  CONSTRAINT checkout_field_options_check CHECK (jsonb_typeof(options) = 'array' AND (type = 'select') = (options <> '[]'))
);
SELECT tenant_table('checkout_field');

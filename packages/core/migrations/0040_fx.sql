-- Rates of exchange that the merchant states: one unit of `base` is `rate` units of `quote`.
CREATE TABLE fx_rate (
  store_id text COLLATE "C" NOT NULL,
  base text COLLATE "C" NOT NULL,
  quote text COLLATE "C" NOT NULL,
  rate numeric NOT NULL,
  buffer_percent numeric NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT fx_rate_pkey PRIMARY KEY (store_id, base, quote),
  CONSTRAINT fx_rate_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT fx_rate_rate_check CHECK (rate > 0),
  CONSTRAINT fx_rate_buffer_percent_check CHECK (buffer_percent BETWEEN 0 AND 100),
  CONSTRAINT fx_rate_quote_check CHECK (quote <> base)
);
SELECT tenant_table('fx_rate');

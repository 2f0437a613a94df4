-- Products that are offered for less to a shopper who has another product in the cart. `product_ids` are in the order in which they are shown; `pinned_variants` maps
-- products to the only variant that is offered. `discount_value` is in hundredths of a percent, or in minor units of the store's currency, by `discount_type`.
CREATE TABLE bundle_offer (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  description text,
  kind text NOT NULL,
  trigger_product_id text COLLATE "C" NOT NULL,
  product_ids text[] COLLATE "C" NOT NULL,
  pinned_variants jsonb NOT NULL DEFAULT '{}',
  discount_type text NOT NULL,
  discount_value bigint NOT NULL,
  is_active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT bundle_offer_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT bundle_offer_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT bundle_offer_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT bundle_offer_trigger_product_id_fkey FOREIGN KEY (store_id, trigger_product_id) REFERENCES product (store_id, id),
  CONSTRAINT bundle_offer_kind_check CHECK (kind IN ('BUNDLE', 'ORDER_BUMP', 'UPGRADE')),
  CONSTRAINT bundle_offer_product_ids_check CHECK (cardinality(product_ids) >= 1 AND NOT trigger_product_id = ANY (product_ids)),
  CONSTRAINT bundle_offer_discount_check CHECK (discount_value >= 0 AND (discount_type = 'FIXED_AMOUNT' OR discount_type = 'PERCENTAGE' AND discount_value <= 10000))
);
CREATE INDEX bundle_offer_store_id_created_at_idx ON bundle_offer (store_id, created_at, id);
-- Which offers a product brings up, for carts and for the numbers that the product shows.
CREATE INDEX bundle_offer_trigger_product_id_idx ON bundle_offer (store_id, trigger_product_id, created_at, id) WHERE is_active;
SELECT tenant_table('bundle_offer');
SELECT composed_table('bundle_offer', 'trigger_product_id');

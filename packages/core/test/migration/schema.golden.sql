CREATE TABLE account (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT account_pkey PRIMARY KEY (id)
);

CREATE TABLE api_key (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C",
  name text NOT NULL,
  key_hash text COLLATE "C" NOT NULL,
  key_prefix text NOT NULL,
  scopes text[] NOT NULL,
  tier text NOT NULL DEFAULT 'FREE'::text,
  rate_limit integer,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  CONSTRAINT api_key_pkey PRIMARY KEY (id),
  CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT api_key_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_key_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT api_key_tier_check CHECK ((tier = ANY (ARRAY['FREE'::text, 'PRO'::text, 'GROWTH'::text, 'ENTERPRISE'::text])))
);
CREATE INDEX api_key_account_id_idx ON api_key USING btree (account_id, id);
CREATE INDEX api_key_account_id_live_idx ON api_key USING btree (account_id, store_id) WHERE (revoked_at IS NULL);

CREATE TABLE app_inbound (
  store_id text COLLATE "C" NOT NULL,
  installation_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  topic text COLLATE "C" NOT NULL,
  content_type text,
  body bytea NOT NULL,
  charge integer NOT NULL,
  shown integer NOT NULL,
  received_at timestamp with time zone NOT NULL,
  CONSTRAINT app_inbound_pkey PRIMARY KEY (store_id, installation_id, id),
  CONSTRAINT app_inbound_body_check CHECK ((octet_length(body) <= 1048576)),
  CONSTRAINT app_inbound_store_id_installation_id_fkey FOREIGN KEY (store_id, installation_id) REFERENCES app_installation(store_id, id)
);
CREATE INDEX app_inbound_store_id_installation_id_topic_idx ON app_inbound USING btree (store_id, installation_id, topic, id) INCLUDE (shown);
CREATE INDEX app_inbound_store_id_received_at_idx ON app_inbound USING btree (store_id, received_at);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE app_installation (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  slug text COLLATE "C" NOT NULL,
  tier text NOT NULL,
  scopes text[] NOT NULL,
  token_prefix text NOT NULL,
  secrets_updated_at timestamp with time zone NOT NULL,
  mappings integer NOT NULL DEFAULT 0,
  mapping_bytes bigint NOT NULL DEFAULT 0,
  inbound_bytes bigint NOT NULL DEFAULT 0,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT app_installation_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT app_installation_mappings_check CHECK (((mappings >= 0) AND (mapping_bytes >= 0) AND (inbound_bytes >= 0))),
  CONSTRAINT app_installation_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT app_installation_tier_check CHECK ((tier = ANY (ARRAY['first-party'::text, 'connector'::text, 'other'::text])))
);
CREATE INDEX app_installation_store_id_deleted_at_idx ON app_installation USING btree (store_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX app_installation_store_id_slug_key ON app_installation USING btree (store_id, slug) WHERE (deleted_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE app_mapping (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  installation_id text COLLATE "C" NOT NULL,
  resource_type text NOT NULL,
  internal_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  external_url text,
  platform_code text COLLATE "C" NOT NULL,
  sync_status text NOT NULL,
  last_synced_at timestamp with time zone,
  last_sync_error text,
  metadata jsonb NOT NULL,
  charge integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT app_mapping_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT app_mapping_key UNIQUE (store_id, installation_id, internal_id, resource_type, platform_code),
  CONSTRAINT app_mapping_resource_type_check CHECK ((resource_type = ANY (ARRAY['product'::text, 'variant'::text, 'order'::text, 'customer'::text, 'category'::text, 'brand'::text, 'tag'::text, 'coupon'::text]))),
  CONSTRAINT app_mapping_store_id_installation_id_fkey FOREIGN KEY (store_id, installation_id) REFERENCES app_installation(store_id, id),
  CONSTRAINT app_mapping_sync_status_check CHECK ((sync_status = ANY (ARRAY['synced'::text, 'pending'::text, 'error'::text, 'stale'::text])))
);
CREATE INDEX app_mapping_store_id_installation_id_created_at_idx ON app_mapping USING btree (store_id, installation_id, created_at, id);
CREATE INDEX app_mapping_store_id_installation_id_platform_code_idx ON app_mapping USING btree (store_id, installation_id, platform_code);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE app_secret (
  store_id text COLLATE "C" NOT NULL,
  installation_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT app_secret_pkey PRIMARY KEY (store_id, installation_id, key),
  CONSTRAINT app_secret_store_id_installation_id_fkey FOREIGN KEY (store_id, installation_id) REFERENCES app_installation(store_id, id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE app_token (
  token_hash text COLLATE "C" NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  installation_id text COLLATE "C" NOT NULL,
  CONSTRAINT app_token_pkey PRIMARY KEY (token_hash),
  CONSTRAINT app_token_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT app_token_store_id_installation_id_key UNIQUE (store_id, installation_id)
);

CREATE TABLE attribute (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  display_type text,
  source text NOT NULL DEFAULT 'INTERNAL'::text,
  platform text,
  platform_metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  translations jsonb NOT NULL DEFAULT '{}'::jsonb,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT attribute_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT attribute_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT attribute_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE UNIQUE INDEX attribute_store_id_name_key ON attribute USING btree (store_id, lower(name)) WHERE (deleted_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER attribute_deleted_size AFTER DELETE ON attribute REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('t')
CREATE TRIGGER attribute_deleted_version AFTER DELETE ON attribute REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER attribute_inserted_size AFTER INSERT ON attribute REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('t')
CREATE TRIGGER attribute_inserted_version AFTER INSERT ON attribute REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER attribute_updated_size AFTER UPDATE ON attribute REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('t')
CREATE TRIGGER attribute_updated_version AFTER UPDATE ON attribute REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')

CREATE TABLE attribute_option (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  attribute_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  value text NOT NULL,
  swatch_color text,
  swatch_color2 text,
  swatch_image_url text,
  source text NOT NULL DEFAULT 'INTERNAL'::text,
  platform text,
  platform_metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  translations jsonb NOT NULL DEFAULT '{}'::jsonb,
  "position" integer NOT NULL DEFAULT 0,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT attribute_option_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT attribute_option_store_id_attribute_id_external_id_key UNIQUE (store_id, attribute_id, external_id),
  CONSTRAINT attribute_option_store_id_attribute_id_fkey FOREIGN KEY (store_id, attribute_id) REFERENCES attribute(store_id, id)
);
CREATE UNIQUE INDEX attribute_option_store_id_attribute_id_name_key ON attribute_option USING btree (store_id, attribute_id, lower(name)) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX attribute_option_store_id_attribute_id_value_key ON attribute_option USING btree (store_id, attribute_id, value) WHERE (deleted_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER attribute_option_deleted_size AFTER DELETE ON attribute_option REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('t')
CREATE TRIGGER attribute_option_deleted_version AFTER DELETE ON attribute_option REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER attribute_option_inserted_name AFTER INSERT ON attribute_option FOR EACH ROW EXECUTE FUNCTION search_name_changed()
CREATE TRIGGER attribute_option_inserted_size AFTER INSERT ON attribute_option REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('t')
CREATE TRIGGER attribute_option_inserted_version AFTER INSERT ON attribute_option REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER attribute_option_updated_name AFTER UPDATE ON attribute_option FOR EACH ROW WHEN (((((old.name IS DISTINCT FROM new.name) OR (old.translations IS DISTINCT FROM new.translations)) OR (old.is_active IS DISTINCT FROM new.is_active)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION search_name_changed()
CREATE TRIGGER attribute_option_updated_size AFTER UPDATE ON attribute_option REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('t')
CREATE TRIGGER attribute_option_updated_version AFTER UPDATE ON attribute_option REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')

CREATE TABLE brand (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  logo text,
  logo_key text,
  source text NOT NULL,
  translations jsonb NOT NULL DEFAULT '{}'::jsonb,
  is_active boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  channel_ids text[] COLLATE "C",
  CONSTRAINT brand_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT brand_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT brand_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE UNIQUE INDEX brand_store_id_name_key ON brand USING btree (store_id, name) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX brand_store_id_slug_key ON brand USING btree (store_id, slug) WHERE (deleted_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER brand_deleted_size AFTER DELETE ON brand REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER brand_deleted_version AFTER DELETE ON brand REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER brand_inserted_name AFTER INSERT ON brand FOR EACH ROW EXECUTE FUNCTION search_name_changed()
CREATE TRIGGER brand_inserted_size AFTER INSERT ON brand REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER brand_inserted_version AFTER INSERT ON brand REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER brand_published_name AFTER UPDATE ON brand FOR EACH ROW WHEN ((old.channel_ids IS DISTINCT FROM new.channel_ids)) EXECUTE FUNCTION search_name_published()
CREATE TRIGGER brand_updated_name AFTER UPDATE ON brand FOR EACH ROW WHEN (((((old.name IS DISTINCT FROM new.name) OR (old.translations IS DISTINCT FROM new.translations)) OR (old.is_active IS DISTINCT FROM new.is_active)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION search_name_changed()
CREATE TRIGGER brand_updated_size AFTER UPDATE ON brand REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER brand_updated_version AFTER UPDATE ON brand REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')

CREATE TABLE bundle_offer (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  description text,
  kind text NOT NULL,
  trigger_product_id text COLLATE "C" NOT NULL,
  product_ids text[] COLLATE "C" NOT NULL,
  pinned_variants jsonb NOT NULL DEFAULT '{}'::jsonb,
  discount_type text NOT NULL,
  discount_value bigint NOT NULL,
  is_active boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT bundle_offer_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT bundle_offer_discount_check CHECK (((discount_value >= 0) AND ((discount_type = 'FIXED_AMOUNT'::text) OR ((discount_type = 'PERCENTAGE'::text) AND (discount_value <= 10000))))),
  CONSTRAINT bundle_offer_kind_check CHECK ((kind = ANY (ARRAY['BUNDLE'::text, 'ORDER_BUMP'::text, 'UPGRADE'::text]))),
  CONSTRAINT bundle_offer_product_ids_check CHECK (((cardinality(product_ids) >= 1) AND (NOT (trigger_product_id = ANY (product_ids))))),
  CONSTRAINT bundle_offer_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT bundle_offer_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT bundle_offer_trigger_product_id_fkey FOREIGN KEY (store_id, trigger_product_id) REFERENCES product(store_id, id)
);
CREATE INDEX bundle_offer_store_id_created_at_idx ON bundle_offer USING btree (store_id, created_at, id);
CREATE INDEX bundle_offer_trigger_product_id_idx ON bundle_offer USING btree (store_id, trigger_product_id, created_at, id) WHERE is_active;
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER bundle_offer_deleted_stale AFTER DELETE ON bundle_offer REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bundle_offer_stale()
CREATE TRIGGER bundle_offer_inserted_stale AFTER INSERT ON bundle_offer REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bundle_offer_stale()
CREATE TRIGGER bundle_offer_updated_stale AFTER UPDATE ON bundle_offer REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bundle_offer_stale()

CREATE TABLE cancellation (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  restock boolean NOT NULL,
  actor jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  request_key text COLLATE "C",
  CONSTRAINT cancellation_pkey PRIMARY KEY (store_id, order_id),
  CONSTRAINT cancellation_reason_check CHECK ((reason = ANY (ARRAY['customer'::text, 'inventory'::text, 'fraud'::text, 'declined'::text, 'other'::text]))),
  CONSTRAINT cancellation_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE cart (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C",
  session_token text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C",
  status text NOT NULL DEFAULT 'ACTIVE'::text,
  currency text NOT NULL,
  notes text,
  region_id text COLLATE "C",
  analytics_client_id text,
  analytics_session_id text,
  coupon_code text,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  merged_into text COLLATE "C",
  holds_until timestamp with time zone,
  locale text,
  CONSTRAINT cart_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT cart_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'CONVERTED'::text, 'MERGED'::text, 'ABANDONED'::text, 'EXPIRED'::text]))),
  CONSTRAINT cart_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id),
  CONSTRAINT cart_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT cart_store_id_session_token_key UNIQUE (store_id, session_token)
);
CREATE INDEX cart_store_id_customer_id_idx ON cart USING btree (store_id, customer_id, status) WHERE (customer_id IS NOT NULL);
CREATE INDEX cart_store_id_expires_at_idx ON cart USING btree (store_id, expires_at) WHERE (status = ANY (ARRAY['ACTIVE'::text, 'ABANDONED'::text]));
CREATE INDEX cart_store_id_updated_at_idx ON cart USING btree (store_id, updated_at) WHERE (status = 'ACTIVE'::text);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE cart_item (
  store_id text COLLATE "C" NOT NULL,
  cart_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  identity text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  quantity integer NOT NULL,
  unit_price bigint NOT NULL,
  notes text,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  customizations jsonb NOT NULL DEFAULT '{}'::jsonb,
  modifiers jsonb NOT NULL DEFAULT '[]'::jsonb,
  created_at timestamp with time zone NOT NULL,
  offer_id text COLLATE "C",
  bundle_item_id text COLLATE "C",
  CONSTRAINT cart_item_pkey PRIMARY KEY (store_id, cart_id, id),
  CONSTRAINT cart_item_bundle_item_id_check CHECK (((bundle_item_id IS NULL) OR (offer_id IS NOT NULL))),
  CONSTRAINT cart_item_quantity_check CHECK ((quantity > 0)),
  CONSTRAINT cart_item_store_id_cart_id_fkey FOREIGN KEY (store_id, cart_id) REFERENCES cart(store_id, id) ON DELETE CASCADE,
  CONSTRAINT cart_item_store_id_cart_id_identity_key UNIQUE (store_id, cart_id, identity),
  CONSTRAINT cart_item_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX cart_item_customizations_idx ON cart_item USING gin (media_ids(customizations)) WHERE (customizations <> '{}'::jsonb);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE catalog_version (
  store_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT catalog_version_pkey PRIMARY KEY (store_id, kind, slot)
) WITH (fillfactor=50);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE category (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
  external_id text COLLATE "C",
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  meta_description text,
  image text,
  image_key text,
  source text NOT NULL DEFAULT 'INTERNAL'::text,
  google_product_category integer,
  tax_behavior text NOT NULL DEFAULT 'taxable'::text,
  translations jsonb NOT NULL DEFAULT '{}'::jsonb,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  channel_ids text[] COLLATE "C",
  CONSTRAINT category_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT category_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT category_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT category_store_id_parent_id_fkey FOREIGN KEY (store_id, parent_id) REFERENCES category(store_id, id),
  CONSTRAINT category_tax_behavior_check CHECK ((tax_behavior = ANY (ARRAY['taxable'::text, 'exempt'::text])))
);
CREATE INDEX category_store_id_parent_id_idx ON category USING btree (store_id, parent_id);
CREATE UNIQUE INDEX category_store_id_slug_key ON category USING btree (store_id, slug) WHERE (deleted_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER category_deleted_size AFTER DELETE ON category REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER category_deleted_version AFTER DELETE ON category REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER category_inserted_name AFTER INSERT ON category FOR EACH ROW EXECUTE FUNCTION search_name_changed()
CREATE TRIGGER category_inserted_size AFTER INSERT ON category REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER category_inserted_version AFTER INSERT ON category REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER category_published_name AFTER UPDATE ON category FOR EACH ROW WHEN ((old.channel_ids IS DISTINCT FROM new.channel_ids)) EXECUTE FUNCTION search_name_published()
CREATE TRIGGER category_updated_name AFTER UPDATE ON category FOR EACH ROW WHEN (((((old.name IS DISTINCT FROM new.name) OR (old.translations IS DISTINCT FROM new.translations)) OR (old.is_active IS DISTINCT FROM new.is_active)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION search_name_changed()
CREATE TRIGGER category_updated_size AFTER UPDATE ON category REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER category_updated_version AFTER UPDATE ON category REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')

CREATE TABLE charge_request (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  amount bigint NOT NULL,
  actor jsonb NOT NULL,
  request_key text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT charge_request_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT charge_request_kind_check CHECK (((kind = ANY (ARRAY['capture'::text, 'void'::text])) AND ((amount > 0) = (kind = 'capture'::text)))),
  CONSTRAINT charge_request_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id)
);
CREATE INDEX charge_request_store_id_order_id_idx ON charge_request USING btree (store_id, order_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE checkout (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  cart_id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C",
  customer_id text COLLATE "C",
  status text NOT NULL DEFAULT 'PENDING'::text,
  attempt integer NOT NULL DEFAULT 1,
  email text,
  customer jsonb NOT NULL DEFAULT '{}'::jsonb,
  delivery_type text NOT NULL DEFAULT 'shipping'::text,
  pickup_location jsonb,
  shipping_address jsonb,
  billing_address jsonb,
  shipping_rate_id text COLLATE "C",
  region_id text COLLATE "C",
  currency text NOT NULL,
  coupon_code text,
  custom_field_values jsonb NOT NULL DEFAULT '{}'::jsonb,
  notes text,
  expires_at timestamp with time zone NOT NULL,
  recovery_email_sent_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  locale text,
  tenders jsonb NOT NULL DEFAULT '[]'::jsonb,
  presented_in jsonb,
  abandoned_at timestamp with time zone,
  recovery_due_at timestamp with time zone,
  draft_id text COLLATE "C",
  draft_terms jsonb,
  CONSTRAINT checkout_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT checkout_draft_terms_check CHECK (((draft_id IS NULL) = (draft_terms IS NULL))),
  CONSTRAINT checkout_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'EXPIRED'::text, 'CANCELLED'::text]))),
  CONSTRAINT checkout_store_id_cart_id_fkey FOREIGN KEY (store_id, cart_id) REFERENCES cart(store_id, id),
  CONSTRAINT checkout_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id),
  CONSTRAINT checkout_store_id_draft_id_fkey FOREIGN KEY (store_id, draft_id) REFERENCES draft_order(store_id, id)
);
CREATE INDEX checkout_store_id_cart_id_idx ON checkout USING btree (store_id, cart_id, status);
CREATE INDEX checkout_store_id_customer_id_idx ON checkout USING btree (store_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX checkout_store_id_draft_id_idx ON checkout USING btree (store_id, draft_id) WHERE (draft_id IS NOT NULL);
CREATE INDEX checkout_store_id_expires_at_idx ON checkout USING btree (store_id, expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX checkout_store_id_recovery_due_at_idx ON checkout USING btree (store_id, recovery_due_at) WHERE (recovery_due_at IS NOT NULL);
CREATE INDEX checkout_store_id_updated_at_idx ON checkout USING btree (store_id, updated_at) WHERE ((status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text])) AND (email IS NOT NULL) AND (abandoned_at IS NULL));
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE checkout_field (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  required boolean NOT NULL,
  options jsonb NOT NULL,
  surcharge jsonb,
  "position" integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT checkout_field_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT checkout_field_options_check CHECK (((jsonb_typeof(options) = 'array'::text) AND ((type = 'select'::text) = (options <> '[]'::jsonb)))),
  CONSTRAINT checkout_field_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT checkout_field_store_id_key_key UNIQUE (store_id, key),
  CONSTRAINT checkout_field_type_check CHECK ((type = ANY (ARRAY['text'::text, 'textarea'::text, 'select'::text, 'checkbox'::text, 'date'::text, 'number'::text])))
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE checkout_line (
  store_id text COLLATE "C" NOT NULL,
  checkout_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  cart_item_id text COLLATE "C",
  "position" integer NOT NULL,
  product_id text COLLATE "C",
  variant_id text COLLATE "C",
  quantity integer NOT NULL,
  unit_price bigint NOT NULL,
  notes text,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  customizations jsonb NOT NULL DEFAULT '{}'::jsonb,
  modifiers jsonb NOT NULL DEFAULT '[]'::jsonb,
  offer_id text COLLATE "C",
  bundle_item_id text COLLATE "C",
  name text,
  CONSTRAINT checkout_line_pkey PRIMARY KEY (store_id, checkout_id, id),
  CONSTRAINT checkout_line_bundle_item_id_check CHECK (((bundle_item_id IS NULL) OR (offer_id IS NOT NULL))),
  CONSTRAINT checkout_line_name_check CHECK (((product_id IS NOT NULL) OR (name IS NOT NULL))),
  CONSTRAINT checkout_line_quantity_check CHECK ((quantity > 0)),
  CONSTRAINT checkout_line_store_id_checkout_id_fkey FOREIGN KEY (store_id, checkout_id) REFERENCES checkout(store_id, id) ON DELETE CASCADE,
  CONSTRAINT checkout_line_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX checkout_line_customizations_idx ON checkout_line USING gin (media_ids(customizations)) WHERE (customizations <> '{}'::jsonb);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE commerce_migration (
  id integer NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL,
  CONSTRAINT commerce_migration_pkey PRIMARY KEY (id)
);

CREATE TABLE coupon (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  code text NOT NULL,
  code_key text COLLATE "C" NOT NULL,
  title text,
  description text,
  type text COLLATE "C" NOT NULL,
  percentage text COLLATE "C",
  amount bigint,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  is_disabled boolean NOT NULL,
  usage_limit integer,
  usage_limit_per_customer integer,
  minimum_order_amount bigint,
  maximum_discount bigint,
  conditions jsonb NOT NULL,
  applicable_products text[] NOT NULL,
  excluded_products text[] NOT NULL,
  applicable_categories text[] NOT NULL,
  excluded_categories text[] NOT NULL,
  region_ids text[] NOT NULL,
  combines_with_other boolean NOT NULL,
  channels jsonb NOT NULL,
  channel_ids text[] NOT NULL,
  source text COLLATE "C" NOT NULL,
  source_external_id text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT coupon_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT coupon_ends_at_check CHECK ((starts_at < ends_at)),
  CONSTRAINT coupon_maximum_discount_check CHECK ((maximum_discount >= 0)),
  CONSTRAINT coupon_minimum_order_amount_check CHECK ((minimum_order_amount >= 0)),
  CONSTRAINT coupon_store_id_code_key_key UNIQUE (store_id, code_key),
  CONSTRAINT coupon_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT coupon_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT coupon_usage_limit_check CHECK ((usage_limit > 0)),
  CONSTRAINT coupon_usage_limit_per_customer_check CHECK ((usage_limit_per_customer > 0)),
  CONSTRAINT coupon_value_check CHECK (
CASE type
    WHEN 'PERCENTAGE'::text THEN ((((percentage)::numeric >= (0)::numeric) AND ((percentage)::numeric <= (100)::numeric)) AND (amount IS NULL))
    WHEN 'FIXED_AMOUNT'::text THEN ((amount >= 0) AND (percentage IS NULL))
    ELSE false
END)
);
CREATE INDEX coupon_amount_idx ON coupon USING btree (store_id) WHERE ((amount IS NOT NULL) OR (minimum_order_amount IS NOT NULL) OR (maximum_discount IS NOT NULL));
CREATE UNIQUE INDEX coupon_source_key ON coupon USING btree (store_id, source, source_external_id) WHERE (source_external_id IS NOT NULL);
CREATE INDEX coupon_store_id_created_at_idx ON coupon USING btree (store_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE coupon_conflict (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source_platform text COLLATE "C" NOT NULL,
  source_external_id text COLLATE "C" NOT NULL,
  source_data jsonb NOT NULL,
  existing_coupon_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  resolution text COLLATE "C",
  resolved_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT coupon_conflict_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT coupon_conflict_resolved_at_check CHECK (((status = 'PENDING'::text) = (resolved_at IS NULL))),
  CONSTRAINT coupon_conflict_source_key UNIQUE (store_id, source_platform, source_external_id),
  CONSTRAINT coupon_conflict_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'RESOLVED'::text, 'IGNORED'::text]))),
  CONSTRAINT coupon_conflict_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX coupon_conflict_existing_coupon_id_idx ON coupon_conflict USING btree (store_id, existing_coupon_id);
CREATE INDEX coupon_conflict_pending_idx ON coupon_conflict USING btree (store_id, created_at, id) WHERE (status = 'PENDING'::text);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE customer (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  first_name text,
  last_name text,
  phone text,
  password_hash text,
  password_version integer NOT NULL DEFAULT 1,
  email_verified boolean NOT NULL DEFAULT false,
  accepts_marketing boolean NOT NULL DEFAULT false,
  birth_month integer,
  birth_day integer,
  referral_code text,
  privacy_policy_accepted_at timestamp with time zone,
  announced boolean NOT NULL DEFAULT true,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  external_id text COLLATE "C",
  locale text,
  CONSTRAINT customer_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT customer_birth_check CHECK ((((birth_month IS NULL) = (birth_day IS NULL)) AND ((birth_month >= 1) AND (birth_month <= 12)) AND ((birth_day >= 1) AND (birth_day <= 31)))),
  CONSTRAINT customer_email_check CHECK (((email IS NULL) = (deleted_at IS NOT NULL))),
  CONSTRAINT customer_store_id_email_key UNIQUE (store_id, email),
  CONSTRAINT customer_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT customer_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE customer_address (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  label text,
  is_default boolean NOT NULL,
  address jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT customer_address_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT customer_address_store_id_customer_id_excl EXCLUDE USING btree (store_id WITH =, customer_id WITH =) WHERE (is_default) DEFERRABLE,
  CONSTRAINT customer_address_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id)
);
CREATE INDEX customer_address_store_id_customer_id_idx ON customer_address USING btree (store_id, customer_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE customer_logout (
  store_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  jti text COLLATE "C" NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT customer_logout_pkey PRIMARY KEY (store_id, customer_id, jti),
  CONSTRAINT customer_logout_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE customer_token (
  store_id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  purpose text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT customer_token_pkey PRIMARY KEY (store_id, token_hash),
  CONSTRAINT customer_token_purpose_check CHECK ((purpose = ANY (ARRAY['verification'::text, 'reset'::text]))),
  CONSTRAINT customer_token_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id)
);
CREATE INDEX customer_token_store_id_customer_id_idx ON customer_token USING btree (store_id, customer_id, purpose, created_at);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE dashboard_reset (
  token_hash text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT dashboard_reset_pkey PRIMARY KEY (token_hash),
  CONSTRAINT dashboard_reset_user_id_fkey FOREIGN KEY (user_id) REFERENCES dashboard_user(id)
);
CREATE INDEX dashboard_reset_user_id_idx ON dashboard_reset USING btree (user_id);

CREATE TABLE dashboard_session (
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  device text,
  address text,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT dashboard_session_pkey PRIMARY KEY (id),
  CONSTRAINT dashboard_session_expires_at_check CHECK ((expires_at > created_at)),
  CONSTRAINT dashboard_session_token_hash_key UNIQUE (token_hash),
  CONSTRAINT dashboard_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES dashboard_user(id)
);
CREATE INDEX dashboard_session_user_id_idx ON dashboard_session USING btree (user_id, created_at);

CREATE TABLE dashboard_user (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  name text,
  password_version integer NOT NULL DEFAULT 1,
  CONSTRAINT dashboard_user_pkey PRIMARY KEY (id),
  CONSTRAINT dashboard_user_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT dashboard_user_email_key UNIQUE (email)
);

CREATE TABLE dispute (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  status text NOT NULL,
  reason text,
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT dispute_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT dispute_amount_check CHECK ((amount >= 0)),
  CONSTRAINT dispute_status_check CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text]))),
  CONSTRAINT dispute_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id),
  CONSTRAINT dispute_store_id_payment_id_external_id_key UNIQUE (store_id, payment_id, external_id),
  CONSTRAINT dispute_store_id_payment_id_fkey FOREIGN KEY (store_id, payment_id) REFERENCES payment(store_id, id)
);
CREATE INDEX dispute_store_id_order_id_idx ON dispute USING btree (store_id, order_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE draft_order (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C",
  customer_id text COLLATE "C",
  email text,
  currency text NOT NULL,
  in_store_currency boolean NOT NULL,
  body jsonb NOT NULL,
  priced jsonb NOT NULL,
  invoice_sent_at timestamp with time zone,
  invoice_token_hash text COLLATE "C",
  invoice_expires_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT draft_order_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT draft_order_invoice_check CHECK ((((invoice_sent_at IS NULL) = (invoice_token_hash IS NULL)) AND ((invoice_sent_at IS NULL) = (invoice_expires_at IS NULL)))),
  CONSTRAINT draft_order_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX draft_order_store_id_created_at_idx ON draft_order USING btree (store_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX draft_order_store_id_customer_id_idx ON draft_order USING btree (store_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX draft_order_store_id_email_idx ON draft_order USING btree (store_id, email) WHERE (email IS NOT NULL);
CREATE UNIQUE INDEX draft_order_store_id_invoice_token_hash_key ON draft_order USING btree (store_id, invoice_token_hash) WHERE (invoice_token_hash IS NOT NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE email_click (
  store_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  url_hash text NOT NULL,
  url text NOT NULL,
  clicks integer NOT NULL,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT email_click_pkey PRIMARY KEY (store_id, message_id, url_hash),
  CONSTRAINT email_click_clicks_check CHECK ((clicks > 0)),
  CONSTRAINT email_click_store_id_message_id_fkey FOREIGN KEY (store_id, message_id) REFERENCES email_message(store_id, id) ON DELETE CASCADE
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE email_domain (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  domain text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'PENDING'::text,
  token text NOT NULL,
  selector text NOT NULL,
  public_key text NOT NULL,
  private_key text NOT NULL,
  checks jsonb NOT NULL DEFAULT '{}'::jsonb,
  verified_at timestamp with time zone,
  last_checked_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  look_at timestamp with time zone NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone,
  CONSTRAINT email_domain_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT email_domain_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'VERIFIED'::text, 'FAILED'::text]))),
  CONSTRAINT email_domain_store_id_domain_key UNIQUE (store_id, domain),
  CONSTRAINT email_domain_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT email_domain_verified_at_check CHECK (((status <> 'VERIFIED'::text) OR (verified_at IS NOT NULL)))
);
CREATE INDEX email_domain_store_id_look_at_idx ON email_domain USING btree (store_id, look_at) WHERE (status <> 'PENDING'::text);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

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
  status text NOT NULL DEFAULT 'QUEUED'::text,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone NOT NULL,
  last_error text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  priority smallint NOT NULL DEFAULT 2,
  counted_at timestamp with time zone,
  expires_at timestamp with time zone,
  unsubscribe_url text,
  CONSTRAINT email_message_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT email_message_priority_check CHECK (((priority >= 0) AND (priority <= 3))),
  CONSTRAINT email_message_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'KEPT'::text, 'FAILED'::text]))),
  CONSTRAINT email_message_store_id_event_id_event_type_key UNIQUE (store_id, event_id, event_type),
  CONSTRAINT email_message_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX email_message_store_id_created_at_by_hand_idx ON email_message USING btree (store_id, created_at) INCLUDE (event_type) WHERE (event_id IS NULL);
CREATE INDEX email_message_store_id_priority_due_at_again_idx ON email_message USING btree (store_id, priority, due_at, seq) WHERE ((status = 'QUEUED'::text) AND (attempts > 0));
CREATE INDEX email_message_store_id_priority_due_at_held_idx ON email_message USING btree (store_id, priority, due_at, seq) WHERE ((status = 'QUEUED'::text) AND (attempts = 0) AND (counted_at IS NOT NULL));
CREATE INDEX email_message_store_id_priority_seq_fresh_idx ON email_message USING btree (store_id, priority, seq) WHERE ((status = 'QUEUED'::text) AND (attempts = 0) AND (counted_at IS NULL));
CREATE INDEX email_message_store_id_seq_idx ON email_message USING btree (store_id, seq);
CREATE INDEX email_message_store_id_to_address_counted_at_idx ON email_message USING btree (store_id, to_address, counted_at);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE email_pace (
  store_id text COLLATE "C" NOT NULL,
  full_at timestamp with time zone NOT NULL,
  CONSTRAINT email_pace_pkey PRIMARY KEY (store_id),
  CONSTRAINT email_pace_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE email_settings (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  emails_enabled boolean NOT NULL,
  default_from_name text,
  default_reply_to text,
  event_settings jsonb NOT NULL,
  hourly_rate_limit integer NOT NULL,
  click_tracking_enabled boolean NOT NULL,
  footer_address text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  custom_domain_id text COLLATE "C",
  daily_campaign_send_limit integer,
  marketing_sending_paused boolean NOT NULL DEFAULT false,
  marketing_pause_reason text,
  marketing_paused_at timestamp with time zone,
  CONSTRAINT email_settings_pkey PRIMARY KEY (store_id),
  CONSTRAINT email_settings_custom_domain_id_fkey FOREIGN KEY (store_id, custom_domain_id) REFERENCES email_domain(store_id, id),
  CONSTRAINT email_settings_daily_campaign_send_limit_check CHECK ((daily_campaign_send_limit >= 0)),
  CONSTRAINT email_settings_hourly_rate_limit_check CHECK (((hourly_rate_limit >= 1) AND (hourly_rate_limit <= 1000))),
  CONSTRAINT email_settings_marketing_paused_at_check CHECK ((marketing_sending_paused = (marketing_paused_at IS NOT NULL))),
  CONSTRAINT email_settings_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE email_suppression (
  store_id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT email_suppression_pkey PRIMARY KEY (store_id, email),
  CONSTRAINT email_suppression_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE email_template (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  event_type text NOT NULL,
  language text NOT NULL,
  subject text NOT NULL,
  html_content text NOT NULL,
  text_content text,
  variables jsonb NOT NULL DEFAULT '{}'::jsonb,
  is_active boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT email_template_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT email_template_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX email_template_store_id_created_at_idx ON email_template USING btree (store_id, created_at, id);
CREATE UNIQUE INDEX email_template_store_id_event_type_language_key ON email_template USING btree (store_id, event_type, language) WHERE is_active;
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE event (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  data jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  relayed_at timestamp with time zone,
  "position" bigint,
  size integer,
  version integer,
  CONSTRAINT event_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT event_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX event_store_id_position_idx ON event USING btree (store_id, "position");
CREATE INDEX event_store_id_seq_pending_idx ON event USING btree (store_id, seq) WHERE (relayed_at IS NULL);
CREATE INDEX event_store_id_type_position_idx ON event USING btree (store_id, type, "position") WHERE ("position" IS NOT NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE event_feed (
  store_id text COLLATE "C" NOT NULL,
  removed bigint NOT NULL,
  removed_before timestamp with time zone NOT NULL,
  CONSTRAINT event_feed_pkey PRIMARY KEY (store_id),
  CONSTRAINT event_feed_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
) WITH (fillfactor=50);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE event_listener (
  name text COLLATE "C" NOT NULL,
  types text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT event_listener_pkey PRIMARY KEY (name)
);

CREATE TABLE event_listener_cursor (
  store_id text COLLATE "C" NOT NULL,
  listener text COLLATE "C" NOT NULL,
  "position" bigint NOT NULL,
  told bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  last_error text,
  lease text COLLATE "C",
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT event_listener_cursor_pkey PRIMARY KEY (store_id, listener),
  CONSTRAINT event_listener_cursor_last_error_check CHECK (((failures > 0) = (last_error IS NOT NULL))),
  CONSTRAINT event_listener_cursor_lease_check CHECK (((lease IS NULL) OR (due_at IS NOT NULL))),
  CONSTRAINT event_listener_cursor_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX event_listener_cursor_store_id_listener_due_idx ON event_listener_cursor USING btree (store_id, listener) WHERE (due_at IS NOT NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE export_job (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  resource text NOT NULL,
  format text NOT NULL,
  filters jsonb NOT NULL,
  status text NOT NULL,
  reason text,
  rows bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  parts integer NOT NULL DEFAULT 0,
  after text COLLATE "C",
  tries integer NOT NULL DEFAULT 0,
  lease text COLLATE "C",
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  files_removed boolean NOT NULL DEFAULT false,
  CONSTRAINT export_job_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT export_job_due_at_check CHECK (((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text])) = (due_at IS NOT NULL))),
  CONSTRAINT export_job_expires_at_check CHECK (((status = ANY (ARRAY['DONE'::text, 'FAILED'::text])) = (expires_at IS NOT NULL))),
  CONSTRAINT export_job_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'ndjson'::text]))),
  CONSTRAINT export_job_lease_check CHECK (((lease IS NULL) OR (status = 'RUNNING'::text))),
  CONSTRAINT export_job_reason_check CHECK (((status = 'FAILED'::text) = (reason IS NOT NULL))),
  CONSTRAINT export_job_resource_check CHECK ((resource = ANY (ARRAY['orders'::text, 'customers'::text, 'products'::text, 'inventory'::text]))),
  CONSTRAINT export_job_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'DONE'::text, 'FAILED'::text]))),
  CONSTRAINT export_job_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX export_job_store_id_due_at_idx ON export_job USING btree (store_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX export_job_store_id_expires_at_idx ON export_job USING btree (store_id, expires_at) WHERE ((expires_at IS NOT NULL) AND (NOT files_removed));
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE export_part (
  store_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  export_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  rows integer NOT NULL,
  bytes bigint NOT NULL,
  ready boolean NOT NULL DEFAULT false,
  CONSTRAINT export_part_pkey PRIMARY KEY (store_id, key),
  CONSTRAINT export_part_store_id_export_id_fkey FOREIGN KEY (store_id, export_id) REFERENCES export_job(store_id, id)
);
CREATE INDEX export_part_store_id_export_id_idx ON export_part USING btree (store_id, export_id);
CREATE UNIQUE INDEX export_part_store_id_export_id_position_key ON export_part USING btree (store_id, export_id, "position") WHERE ready;
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE fulfilment (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  tracking_number text,
  tracking_url text,
  carrier text,
  delivered_at timestamp with time zone,
  actor jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT fulfilment_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT fulfilment_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id)
);
CREATE INDEX fulfilment_store_id_order_id_idx ON fulfilment USING btree (store_id, order_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE fulfilment_item (
  store_id text COLLATE "C" NOT NULL,
  fulfilment_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  quantity integer NOT NULL,
  CONSTRAINT fulfilment_item_pkey PRIMARY KEY (store_id, fulfilment_id, item_id),
  CONSTRAINT fulfilment_item_quantity_check CHECK ((quantity > 0)),
  CONSTRAINT fulfilment_item_store_id_fulfilment_id_fkey FOREIGN KEY (store_id, fulfilment_id) REFERENCES fulfilment(store_id, id),
  CONSTRAINT fulfilment_item_store_id_order_id_item_id_fkey FOREIGN KEY (store_id, order_id, item_id) REFERENCES order_item(store_id, order_id, id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE fx_rate (
  store_id text COLLATE "C" NOT NULL,
  base text COLLATE "C" NOT NULL,
  quote text COLLATE "C" NOT NULL,
  rate numeric NOT NULL,
  buffer_percent numeric NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT fx_rate_pkey PRIMARY KEY (store_id, base, quote),
  CONSTRAINT fx_rate_buffer_percent_check CHECK (((buffer_percent >= (0)::numeric) AND (buffer_percent <= (100)::numeric))),
  CONSTRAINT fx_rate_quote_check CHECK ((quote <> base)),
  CONSTRAINT fx_rate_rate_check CHECK ((rate > (0)::numeric)),
  CONSTRAINT fx_rate_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE gift_card (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  code_hash text COLLATE "C" NOT NULL,
  code_last4 text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  initial_balance bigint NOT NULL,
  balance bigint NOT NULL,
  entries integer NOT NULL,
  disabled_at timestamp with time zone,
  expires_at timestamp with time zone,
  customer_id text COLLATE "C",
  recipient_email text,
  sender_name text,
  message text,
  note text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT gift_card_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT gift_card_balance_check CHECK ((balance >= 0)),
  CONSTRAINT gift_card_initial_balance_check CHECK ((initial_balance > 0)),
  CONSTRAINT gift_card_store_id_code_hash_key UNIQUE (store_id, code_hash),
  CONSTRAINT gift_card_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id),
  CONSTRAINT gift_card_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT gift_card_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX gift_card_store_id_created_at_idx ON gift_card USING btree (store_id, created_at, id);
CREATE INDEX gift_card_store_id_customer_id_idx ON gift_card USING btree (store_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX gift_card_store_id_recipient_email_idx ON gift_card USING btree (store_id, lower(recipient_email)) WHERE (recipient_email IS NOT NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE gift_card_hold (
  store_id text COLLATE "C" NOT NULL,
  gift_card_id text COLLATE "C" NOT NULL,
  holder_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  held_until timestamp with time zone NOT NULL,
  CONSTRAINT gift_card_hold_pkey PRIMARY KEY (store_id, gift_card_id, holder_id),
  CONSTRAINT gift_card_hold_amount_check CHECK ((amount > 0)),
  CONSTRAINT gift_card_hold_store_id_gift_card_id_fkey FOREIGN KEY (store_id, gift_card_id) REFERENCES gift_card(store_id, id)
);
CREATE INDEX gift_card_hold_store_id_holder_id_idx ON gift_card_hold USING btree (store_id, holder_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE gift_card_transaction (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  gift_card_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  type text NOT NULL,
  amount bigint NOT NULL,
  balance bigint NOT NULL,
  order_id text COLLATE "C",
  reason text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT gift_card_transaction_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT gift_card_transaction_amount_check CHECK ((amount <> 0)),
  CONSTRAINT gift_card_transaction_balance_check CHECK ((balance >= 0)),
  CONSTRAINT gift_card_transaction_order_id_check CHECK (((type = ANY (ARRAY['REDEEM'::text, 'REFUND'::text])) = (order_id IS NOT NULL))),
  CONSTRAINT gift_card_transaction_store_id_gift_card_id_fkey FOREIGN KEY (store_id, gift_card_id) REFERENCES gift_card(store_id, id),
  CONSTRAINT gift_card_transaction_store_id_gift_card_id_position_key UNIQUE (store_id, gift_card_id, "position"),
  CONSTRAINT gift_card_transaction_type_check CHECK ((type = ANY (ARRAY['ISSUE'::text, 'ADJUST'::text, 'REDEEM'::text, 'REFUND'::text])))
);
CREATE UNIQUE INDEX gift_card_transaction_store_id_order_id_gift_card_id_key ON gift_card_transaction USING btree (store_id, order_id, gift_card_id) WHERE (type = 'REDEEM'::text);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE idempotency (
  store_id text COLLATE "C" NOT NULL,
  credential text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  owner text NOT NULL,
  claimed_until timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  status integer,
  content_type text,
  body bytea,
  CONSTRAINT idempotency_pkey PRIMARY KEY (store_id, credential, key)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX idempotency_expires_at_idx ON idempotency USING btree (expires_at);

CREATE TABLE invoice (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  series text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  parties jsonb NOT NULL,
  issued_at timestamp with time zone NOT NULL,
  CONSTRAINT invoice_pkey PRIMARY KEY (store_id, order_id),
  CONSTRAINT invoice_series_check CHECK ((series = ANY (ARRAY['INV'::text, 'TEST'::text]))),
  CONSTRAINT invoice_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id),
  CONSTRAINT invoice_store_id_series_number_key UNIQUE (store_id, series, number)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE invoice_counter (
  store_id text COLLATE "C" NOT NULL,
  series text COLLATE "C" NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT invoice_counter_pkey PRIMARY KEY (store_id, series),
  CONSTRAINT invoice_counter_series_check CHECK ((series = ANY (ARRAY['INV'::text, 'TEST'::text]))),
  CONSTRAINT invoice_counter_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
) WITH (fillfactor=50);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE kit_component (
  store_id text COLLATE "C" NOT NULL,
  kit_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  quantity integer NOT NULL,
  CONSTRAINT kit_component_pkey PRIMARY KEY (store_id, kit_id, "position"),
  CONSTRAINT kit_component_product_id_check CHECK ((product_id <> kit_id)),
  CONSTRAINT kit_component_quantity_check CHECK (((quantity >= 1) AND (quantity <= 1000))),
  CONSTRAINT kit_component_store_id_kit_id_fkey FOREIGN KEY (store_id, kit_id) REFERENCES product(store_id, id),
  CONSTRAINT kit_component_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX kit_component_store_id_product_id_idx ON kit_component USING btree (store_id, product_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER kit_component_deleted_stale AFTER DELETE ON kit_component REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION kit_component_stale()
CREATE TRIGGER kit_component_inserted_stale AFTER INSERT ON kit_component REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION kit_component_stale()
CREATE TRIGGER kit_component_updated_stale AFTER UPDATE ON kit_component REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION kit_component_stale()

CREATE TABLE loyalty_account (
  store_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  referral_code text COLLATE "C" NOT NULL,
  balance bigint NOT NULL DEFAULT 0,
  lifetime bigint NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT loyalty_account_pkey PRIMARY KEY (store_id, customer_id),
  CONSTRAINT loyalty_account_balance_check CHECK (((balance >= 0) AND (lifetime >= 0))),
  CONSTRAINT loyalty_account_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id),
  CONSTRAINT loyalty_account_store_id_referral_code_key UNIQUE (store_id, referral_code)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE loyalty_hold (
  store_id text COLLATE "C" NOT NULL,
  holder_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  points bigint NOT NULL,
  amount bigint NOT NULL,
  held_until timestamp with time zone NOT NULL,
  CONSTRAINT loyalty_hold_pkey PRIMARY KEY (store_id, holder_id),
  CONSTRAINT loyalty_hold_points_check CHECK (((points > 0) AND (amount > 0))),
  CONSTRAINT loyalty_hold_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES loyalty_account(store_id, customer_id)
);
CREATE INDEX loyalty_hold_customer_idx ON loyalty_hold USING btree (store_id, customer_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE loyalty_order (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  pending bigint NOT NULL DEFAULT 0,
  earned bigint,
  reversed bigint NOT NULL DEFAULT 0,
  spent bigint NOT NULL DEFAULT 0,
  worth bigint NOT NULL DEFAULT 0,
  returned bigint NOT NULL DEFAULT 0,
  CONSTRAINT loyalty_order_pkey PRIMARY KEY (store_id, order_id),
  CONSTRAINT loyalty_order_points_check CHECK (((pending >= 0) AND ((earned IS NULL) OR (pending = 0)) AND ((reversed >= 0) AND (reversed <= COALESCE(earned, (0)::bigint))) AND ((returned >= 0) AND (returned <= spent)))),
  CONSTRAINT loyalty_order_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX loyalty_order_pending_idx ON loyalty_order USING btree (store_id, customer_id) WHERE (pending > 0);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE loyalty_program (
  store_id text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  is_enabled boolean NOT NULL,
  points_per_unit bigint NOT NULL,
  currency_unit bigint NOT NULL,
  redeem_rate bigint NOT NULL,
  min_redeem bigint NOT NULL,
  expiry_days integer,
  tiers jsonb NOT NULL,
  referral_points bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT loyalty_program_pkey PRIMARY KEY (store_id),
  CONSTRAINT loyalty_program_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT loyalty_program_units_check CHECK (((points_per_unit > 0) AND (currency_unit > 0) AND (redeem_rate > 0)))
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE loyalty_referral (
  store_id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  referrer_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT loyalty_referral_pkey PRIMARY KEY (store_id, customer_id),
  CONSTRAINT loyalty_referral_referrer_id_check CHECK ((referrer_id <> customer_id)),
  CONSTRAINT loyalty_referral_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id),
  CONSTRAINT loyalty_referral_store_id_referrer_id_fkey FOREIGN KEY (store_id, referrer_id) REFERENCES loyalty_account(store_id, customer_id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE loyalty_transaction (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  cause text NOT NULL,
  points bigint NOT NULL,
  remaining bigint NOT NULL DEFAULT 0,
  order_id text COLLATE "C",
  reason text,
  expires_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT loyalty_transaction_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT loyalty_transaction_points_check CHECK (((points <> 0) AND ((remaining >= 0) AND (remaining <= GREATEST(points, (0)::bigint))))),
  CONSTRAINT loyalty_transaction_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES loyalty_account(store_id, customer_id),
  CONSTRAINT loyalty_transaction_type_check CHECK ((type = ANY (ARRAY['EARN'::text, 'REDEEM'::text, 'ADJUST'::text, 'EXPIRE'::text, 'REVERSE'::text])))
);
CREATE INDEX loyalty_transaction_customer_idx ON loyalty_transaction USING btree (store_id, customer_id, seq);
CREATE INDEX loyalty_transaction_due_idx ON loyalty_transaction USING btree (store_id, expires_at) WHERE ((remaining > 0) AND (expires_at IS NOT NULL));
CREATE INDEX loyalty_transaction_left_idx ON loyalty_transaction USING btree (store_id, customer_id, expires_at, seq) WHERE (remaining > 0);
CREATE UNIQUE INDEX loyalty_transaction_order_key ON loyalty_transaction USING btree (store_id, order_id, customer_id, cause) WHERE (cause = ANY (ARRAY['order'::text, 'referral'::text, 'redemption'::text]));
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE media_file (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  purpose text NOT NULL,
  key text COLLATE "C" NOT NULL,
  thumbnail_key text COLLATE "C",
  mime_type text NOT NULL,
  size integer NOT NULL,
  stored_bytes integer NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  thumbnail_hash text COLLATE "C",
  thumbnail_size integer,
  name text NOT NULL,
  alt text,
  ready boolean NOT NULL DEFAULT false,
  purge_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  review_at timestamp with time zone DEFAULT now(),
  thumbnail_due timestamp with time zone,
  thumbnail_tries smallint NOT NULL DEFAULT 0,
  unclaimed boolean NOT NULL DEFAULT false,
  owner_id text COLLATE "C",
  CONSTRAINT media_file_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT media_file_purpose_check CHECK ((purpose = ANY (ARRAY['library'::text, 'customization'::text, 'review_photo'::text]))),
  CONSTRAINT media_file_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT media_file_thumbnail_check CHECK ((((thumbnail_key IS NULL) = (thumbnail_hash IS NULL)) AND ((thumbnail_key IS NULL) = (thumbnail_size IS NULL))))
);
CREATE INDEX media_file_store_id_created_at_id_idx ON media_file USING btree (store_id, created_at DESC, id DESC) WHERE ((purpose = 'library'::text) AND ready AND (deleted_at IS NULL));
CREATE INDEX media_file_store_id_purge_at_idx ON media_file USING btree (store_id, purge_at) WHERE (purge_at IS NOT NULL);
CREATE INDEX media_file_store_id_review_at_idx ON media_file USING btree (store_id, review_at) WHERE ((purpose = 'customization'::text) AND (purge_at IS NULL) AND (review_at IS NOT NULL));
CREATE INDEX media_file_store_id_thumbnail_due_idx ON media_file USING btree (store_id, thumbnail_due) WHERE (thumbnail_due IS NOT NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE media_storage (
  store_id text COLLATE "C" NOT NULL,
  used_bytes bigint NOT NULL DEFAULT 0,
  limit_bytes bigint,
  unclaimed_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT media_storage_pkey PRIMARY KEY (store_id),
  CONSTRAINT media_storage_limit_bytes_check CHECK ((limit_bytes >= 0)),
  CONSTRAINT media_storage_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT media_storage_unclaimed_bytes_check CHECK ((unclaimed_bytes >= 0)),
  CONSTRAINT media_storage_used_bytes_check CHECK ((used_bytes >= 0))
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE metafield_conflict (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  definition_id text COLLATE "C" NOT NULL,
  source_platform text COLLATE "C" NOT NULL,
  source_value jsonb,
  current_value jsonb,
  status text NOT NULL DEFAULT 'PENDING'::text,
  resolution text,
  resolved_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT metafield_conflict_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT metafield_conflict_resolution_check CHECK ((resolution = ANY (ARRAY['accept_source'::text, 'keep_current'::text, 'custom'::text]))),
  CONSTRAINT metafield_conflict_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'RESOLVED'::text, 'IGNORED'::text]))),
  CONSTRAINT metafield_conflict_store_id_definition_id_fkey FOREIGN KEY (store_id, definition_id) REFERENCES metafield_definition(store_id, id),
  CONSTRAINT metafield_conflict_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE UNIQUE INDEX metafield_conflict_open_key ON metafield_conflict USING btree (store_id, product_id, definition_id, source_platform) WHERE (status = 'PENDING'::text);
CREATE INDEX metafield_conflict_store_id_created_at_idx ON metafield_conflict USING btree (store_id, created_at, id);
CREATE INDEX metafield_conflict_store_id_definition_id_idx ON metafield_conflict USING btree (store_id, definition_id);
CREATE INDEX metafield_conflict_store_id_product_id_idx ON metafield_conflict USING btree (store_id, product_id, definition_id, source_platform, created_at);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE metafield_definition (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  type text NOT NULL,
  required boolean NOT NULL,
  is_customer_input boolean NOT NULL,
  applies_to_all_products boolean NOT NULL,
  filterable boolean NOT NULL,
  min_length integer,
  max_length integer,
  min_value numeric,
  max_value numeric,
  date_availability jsonb,
  enum_values jsonb NOT NULL,
  default_value jsonb,
  "position" integer NOT NULL,
  is_active boolean NOT NULL,
  source text NOT NULL,
  translations jsonb NOT NULL,
  size integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT metafield_definition_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT metafield_definition_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT metafield_definition_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT metafield_definition_store_id_key_key UNIQUE (store_id, key),
  CONSTRAINT metafield_definition_type_check CHECK ((type = ANY (ARRAY['TEXT'::text, 'TEXTAREA'::text, 'NUMBER'::text, 'BOOLEAN'::text, 'DATE'::text, 'SELECT'::text, 'MULTI_SELECT'::text, 'COLOR'::text, 'URL'::text, 'IMAGE'::text, 'GALLERY'::text, 'JSON'::text])))
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER metafield_definition_deleted_size AFTER DELETE ON metafield_definition REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER metafield_definition_deleted_version AFTER DELETE ON metafield_definition REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER metafield_definition_inserted_size AFTER INSERT ON metafield_definition REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER metafield_definition_inserted_version AFTER INSERT ON metafield_definition REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER metafield_definition_refiltered AFTER UPDATE ON metafield_definition FOR EACH ROW WHEN ((old.filterable <> new.filterable)) EXECUTE FUNCTION metafield_definition_refiltered()
CREATE TRIGGER metafield_definition_updated_size AFTER UPDATE ON metafield_definition REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER metafield_definition_updated_version AFTER UPDATE ON metafield_definition REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')

CREATE TABLE metafield_definition_product (
  store_id text COLLATE "C" NOT NULL,
  definition_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  CONSTRAINT metafield_definition_product_pkey PRIMARY KEY (store_id, definition_id, product_id),
  CONSTRAINT metafield_definition_product_store_id_definition_id_fkey FOREIGN KEY (store_id, definition_id) REFERENCES metafield_definition(store_id, id),
  CONSTRAINT metafield_definition_product_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX metafield_definition_product_store_id_product_id_idx ON metafield_definition_product USING btree (store_id, product_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER metafield_definition_product_deleted_stale AFTER DELETE ON metafield_definition_product REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION metafield_stale()
CREATE TRIGGER metafield_definition_product_inserted_stale AFTER INSERT ON metafield_definition_product REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION metafield_stale()
CREATE TRIGGER metafield_definition_product_updated_stale AFTER UPDATE ON metafield_definition_product REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION metafield_stale()

CREATE TABLE metafield_value (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  definition_id text COLLATE "C" NOT NULL,
  value jsonb NOT NULL,
  source text COLLATE "C",
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT metafield_value_pkey PRIMARY KEY (store_id, product_id, definition_id),
  CONSTRAINT metafield_value_store_id_definition_id_fkey FOREIGN KEY (store_id, definition_id) REFERENCES metafield_definition(store_id, id),
  CONSTRAINT metafield_value_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX metafield_value_store_id_definition_id_idx ON metafield_value USING btree (store_id, definition_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER metafield_value_deleted_stale AFTER DELETE ON metafield_value REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION metafield_stale()
CREATE TRIGGER metafield_value_inserted_stale AFTER INSERT ON metafield_value REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION metafield_stale()
CREATE TRIGGER metafield_value_updated_stale AFTER UPDATE ON metafield_value REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION metafield_stale()

CREATE TABLE modifier (
  store_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  translations jsonb NOT NULL DEFAULT '{}'::jsonb,
  price_delta bigint NOT NULL,
  sku text,
  image text,
  "position" integer NOT NULL,
  is_default boolean NOT NULL,
  available boolean NOT NULL,
  referenced_product_id text COLLATE "C",
  status text NOT NULL,
  CONSTRAINT modifier_pkey PRIMARY KEY (store_id, group_id, id),
  CONSTRAINT modifier_status_check CHECK ((status = ANY (ARRAY['active'::text, 'draft'::text]))),
  CONSTRAINT modifier_store_id_group_id_fkey FOREIGN KEY (store_id, group_id) REFERENCES modifier_group(store_id, id),
  CONSTRAINT modifier_store_id_referenced_product_id_fkey FOREIGN KEY (store_id, referenced_product_id) REFERENCES product(store_id, id)
);
CREATE INDEX modifier_store_id_referenced_product_id_idx ON modifier USING btree (store_id, referenced_product_id) WHERE (referenced_product_id IS NOT NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER modifier_deleted_size AFTER DELETE ON modifier REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER modifier_deleted_version AFTER DELETE ON modifier REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER modifier_inserted_size AFTER INSERT ON modifier REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER modifier_inserted_version AFTER INSERT ON modifier REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER modifier_updated_size AFTER UPDATE ON modifier REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER modifier_updated_version AFTER UPDATE ON modifier REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')

CREATE TABLE modifier_group (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  internal_name text,
  description text,
  translations jsonb NOT NULL DEFAULT '{}'::jsonb,
  selection_type text NOT NULL,
  min_selections integer NOT NULL,
  max_selections integer,
  required boolean NOT NULL,
  free_quantity integer NOT NULL,
  free_allocation_policy text NOT NULL,
  status text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT modifier_group_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT modifier_group_policy_check CHECK ((free_allocation_policy = ANY (ARRAY['CHEAPEST_FREE'::text, 'EXPENSIVE_FREE'::text]))),
  CONSTRAINT modifier_group_selection_type_check CHECK ((selection_type = ANY (ARRAY['SINGLE'::text, 'MULTIPLE'::text]))),
  CONSTRAINT modifier_group_selections_check CHECK (((min_selections >= 0) AND (max_selections >= GREATEST(min_selections, 1)) AND (free_quantity >= 0))),
  CONSTRAINT modifier_group_single_check CHECK (((selection_type = 'MULTIPLE'::text) OR (max_selections = 1))),
  CONSTRAINT modifier_group_status_check CHECK ((status = ANY (ARRAY['active'::text, 'draft'::text]))),
  CONSTRAINT modifier_group_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT modifier_group_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER modifier_group_deleted_size AFTER DELETE ON modifier_group REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER modifier_group_deleted_version AFTER DELETE ON modifier_group REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER modifier_group_inserted_size AFTER INSERT ON modifier_group REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER modifier_group_inserted_version AFTER INSERT ON modifier_group REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER modifier_group_updated_size AFTER UPDATE ON modifier_group REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER modifier_group_updated_version AFTER UPDATE ON modifier_group REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')

CREATE TABLE newsletter_benefit (
  store_id text COLLATE "C" NOT NULL,
  is_enabled boolean NOT NULL,
  type text NOT NULL,
  value text NOT NULL,
  expires_in_days integer NOT NULL,
  minimum_order_amount bigint,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT newsletter_benefit_pkey PRIMARY KEY (store_id),
  CONSTRAINT newsletter_benefit_minimum_order_amount_check CHECK ((minimum_order_amount >= 0)),
  CONSTRAINT newsletter_benefit_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT newsletter_benefit_type_check CHECK ((type = ANY (ARRAY['PERCENTAGE'::text, 'FIXED_AMOUNT'::text])))
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE newsletter_signup (
  store_id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C",
  locale text,
  token_hash text COLLATE "C" NOT NULL,
  token_expires_at timestamp with time zone NOT NULL,
  mails integer NOT NULL,
  mails_since timestamp with time zone NOT NULL,
  confirmed_at timestamp with time zone,
  coupon_id text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT newsletter_signup_pkey PRIMARY KEY (store_id, email),
  CONSTRAINT newsletter_signup_coupon_id_check CHECK (((coupon_id IS NULL) OR (confirmed_at IS NOT NULL))),
  CONSTRAINT newsletter_signup_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT newsletter_signup_store_id_token_hash_key UNIQUE (store_id, token_hash)
);
CREATE INDEX newsletter_signup_pending_idx ON newsletter_signup USING btree (store_id, token_expires_at) WHERE (confirmed_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE oauth_identity (
  store_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  until_password_version integer,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  CONSTRAINT oauth_identity_pkey PRIMARY KEY (store_id, provider, issuer, subject),
  CONSTRAINT oauth_identity_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id)
);
CREATE INDEX oauth_identity_store_id_customer_id_idx ON oauth_identity USING btree (store_id, customer_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE oauth_provider (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  client_secret text NOT NULL,
  is_enabled boolean NOT NULL,
  provider_config jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT oauth_provider_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT oauth_provider_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT oauth_provider_store_id_provider_key UNIQUE (store_id, provider)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE oauth_used_state (
  store_id text COLLATE "C" NOT NULL,
  state_hash text COLLATE "C" NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT oauth_used_state_pkey PRIMARY KEY (store_id, state_hash),
  CONSTRAINT oauth_used_state_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX oauth_used_state_store_id_expires_at_idx ON oauth_used_state USING btree (store_id, expires_at);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE order_adjustment (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  item_id text COLLATE "C",
  target text NOT NULL,
  part text NOT NULL,
  kind text NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  reason text,
  type text,
  value text,
  units integer NOT NULL DEFAULT 0,
  CONSTRAINT order_adjustment_pkey PRIMARY KEY (store_id, order_id, "position"),
  CONSTRAINT order_adjustment_amount_check CHECK ((amount > 0)),
  CONSTRAINT order_adjustment_kind_check CHECK (((kind <> ''::text) AND (source_id <> ''::text))),
  CONSTRAINT order_adjustment_part_check CHECK ((part = ANY (ARRAY['rule_discount'::text, 'discount'::text, 'shipping_discount'::text, 'shipping'::text, 'tax'::text, 'surcharge'::text]))),
  CONSTRAINT order_adjustment_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id),
  CONSTRAINT order_adjustment_store_id_order_id_item_id_fkey FOREIGN KEY (store_id, order_id, item_id) REFERENCES order_item(store_id, order_id, id),
  CONSTRAINT order_adjustment_target_check CHECK (((target = ANY (ARRAY['line'::text, 'shipping'::text, 'order'::text])) AND ((target = 'line'::text) = (item_id IS NOT NULL)))),
  CONSTRAINT order_adjustment_units_check CHECK ((units >= 0))
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE order_counter (
  store_id text COLLATE "C" NOT NULL,
  last_number bigint NOT NULL,
  by_status jsonb NOT NULL DEFAULT '{}'::jsonb,
  month text COLLATE "C" NOT NULL DEFAULT ''::text,
  month_orders bigint NOT NULL DEFAULT 0,
  CONSTRAINT order_counter_pkey PRIMARY KEY (store_id),
  CONSTRAINT order_counter_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
) WITH (fillfactor=50);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER order_month_begun BEFORE INSERT ON order_counter FOR EACH ROW WHEN ((new.month = ''::text)) EXECUTE FUNCTION order_month_counted()
CREATE TRIGGER order_month_counted BEFORE UPDATE OF last_number ON order_counter FOR EACH ROW WHEN (((new.last_number > old.last_number) AND (new.month = old.month) AND (new.month_orders = old.month_orders))) EXECUTE FUNCTION order_month_counted()

CREATE TABLE order_download (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  product_name text NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  file_name text NOT NULL,
  url text,
  storage_key text,
  mime_type text,
  download_limit integer,
  expiry_days integer,
  used integer NOT NULL DEFAULT 0,
  links jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT order_download_pkey PRIMARY KEY (store_id, order_id, item_id, "position"),
  CONSTRAINT order_download_store_id_order_id_item_id_fkey FOREIGN KEY (store_id, order_id, item_id) REFERENCES order_item(store_id, order_id, id),
  CONSTRAINT order_download_used_check CHECK (((used >= 0) AND (used <= download_limit)))
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE order_item (
  store_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  product_id text COLLATE "C",
  variant_id text COLLATE "C",
  sku text,
  name text NOT NULL,
  image text,
  quantity integer NOT NULL,
  fulfilled_quantity integer NOT NULL DEFAULT 0,
  refunded_quantity integer NOT NULL DEFAULT 0,
  unit_price bigint NOT NULL,
  subtotal bigint NOT NULL,
  discount bigint NOT NULL,
  tax bigint NOT NULL,
  total bigint NOT NULL,
  tax_lines jsonb NOT NULL DEFAULT '[]'::jsonb,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  customizations jsonb NOT NULL DEFAULT '{}'::jsonb,
  modifiers jsonb NOT NULL DEFAULT '[]'::jsonb,
  kit_components jsonb,
  base_price bigint,
  CONSTRAINT order_item_pkey PRIMARY KEY (store_id, order_id, id),
  CONSTRAINT order_item_quantity_check CHECK (((quantity > 0) AND ((fulfilled_quantity >= 0) AND (fulfilled_quantity <= quantity)) AND ((refunded_quantity >= 0) AND (refunded_quantity <= quantity)))),
  CONSTRAINT order_item_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id)
);
CREATE INDEX order_item_customizations_idx ON order_item USING gin (media_ids(customizations)) WHERE (customizations <> '{}'::jsonb);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE order_note (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  text text NOT NULL,
  notified boolean NOT NULL,
  actor jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT order_note_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT order_note_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id)
);
CREATE INDEX order_note_store_id_order_id_idx ON order_note USING btree (store_id, order_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE order_status_label (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  color text,
  canonical_status text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT order_status_label_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT order_status_label_canonical_status_check CHECK ((canonical_status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text, 'SHIPPED'::text, 'DELIVERED'::text, 'CANCELLED'::text, 'REFUNDED'::text, 'PAID'::text, 'PARTIALLY_REFUNDED'::text]))),
  CONSTRAINT order_status_label_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT order_status_label_store_id_name_key UNIQUE (store_id, name)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE orders (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_number bigint NOT NULL,
  external_id text COLLATE "C",
  checkout_id text COLLATE "C",
  sales_channel_id text COLLATE "C",
  customer_id text COLLATE "C",
  platform text,
  source_name text,
  status text NOT NULL DEFAULT 'PENDING'::text,
  financial_status text NOT NULL DEFAULT 'pending'::text,
  fulfillment_status text NOT NULL DEFAULT 'unfulfilled'::text,
  currency text NOT NULL,
  subtotal bigint NOT NULL,
  discount_amount bigint NOT NULL,
  rule_discount_amount bigint NOT NULL,
  shipping_amount bigint NOT NULL,
  surcharge_amount bigint NOT NULL,
  tax_amount bigint NOT NULL,
  total_amount bigint NOT NULL,
  captured_amount bigint NOT NULL DEFAULT 0,
  refunded_amount bigint NOT NULL DEFAULT 0,
  tax_breakdown jsonb NOT NULL,
  coupon_code text,
  email text,
  customer jsonb NOT NULL DEFAULT '{}'::jsonb,
  shipping_address jsonb,
  billing_address jsonb,
  shipping_selection jsonb,
  delivery_type text NOT NULL DEFAULT 'shipping'::text,
  pickup_location jsonb,
  payment_method text,
  notes text,
  custom_field_values jsonb NOT NULL DEFAULT '{}'::jsonb,
  admin_field_values jsonb NOT NULL DEFAULT '{}'::jsonb,
  status_label_id text COLLATE "C",
  status_history jsonb NOT NULL DEFAULT '[]'::jsonb,
  sync_warning text,
  is_test_order boolean NOT NULL DEFAULT false,
  is_read boolean NOT NULL DEFAULT false,
  tracking_number text,
  tracking_url text,
  carrier text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  locale text,
  paid_at timestamp with time zone,
  presentment jsonb,
  explanation jsonb,
  draft_id text COLLATE "C",
  CONSTRAINT orders_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT order_status_counted TRIGGER DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT orders_refunded_amount_check CHECK (((refunded_amount >= 0) AND (refunded_amount <= captured_amount))),
  CONSTRAINT orders_store_id_checkout_id_fkey FOREIGN KEY (store_id, checkout_id) REFERENCES checkout(store_id, id),
  CONSTRAINT orders_store_id_checkout_id_key UNIQUE (store_id, checkout_id),
  CONSTRAINT orders_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id),
  CONSTRAINT orders_store_id_draft_id_fkey FOREIGN KEY (store_id, draft_id) REFERENCES draft_order(store_id, id),
  CONSTRAINT orders_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT orders_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT orders_store_id_order_number_key UNIQUE (store_id, order_number)
);
CREATE INDEX orders_store_id_created_at_idx ON orders USING btree (store_id, created_at DESC, id DESC);
CREATE INDEX orders_store_id_customer_id_idx ON orders USING btree (store_id, customer_id, created_at DESC, id DESC) WHERE (customer_id IS NOT NULL);
CREATE UNIQUE INDEX orders_store_id_draft_id_key ON orders USING btree (store_id, draft_id) WHERE (draft_id IS NOT NULL);
CREATE INDEX orders_store_id_email_guest_idx ON orders USING btree (store_id, email, id) WHERE ((customer_id IS NULL) AND (email IS NOT NULL));
CREATE INDEX orders_store_id_status_idx ON orders USING btree (store_id, status, created_at DESC, id DESC);
CREATE INDEX orders_store_id_total_amount_idx ON orders USING btree (store_id, total_amount, id);
CREATE INDEX orders_store_id_updated_at_idx ON orders USING btree (store_id, updated_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE CONSTRAINT TRIGGER order_status_counted AFTER UPDATE OF status ON orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION order_status_counted()

CREATE TABLE payment (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  method text NOT NULL,
  reference text,
  status text NOT NULL,
  amount bigint NOT NULL,
  captured bigint NOT NULL DEFAULT 0,
  refunded bigint NOT NULL DEFAULT 0,
  currency text NOT NULL,
  paid_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  surplus bigint NOT NULL DEFAULT 0,
  failure text,
  actor jsonb,
  refunding bigint NOT NULL DEFAULT 0,
  expires_at timestamp with time zone,
  manual_refund_url text,
  CONSTRAINT payment_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT payment_amount_check CHECK (((amount >= 0) AND ((captured >= 0) AND (captured <= amount)) AND ((refunded >= 0) AND (refunded <= captured)))),
  CONSTRAINT payment_refunding_check CHECK ((refunding >= 0)),
  CONSTRAINT payment_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'authorized'::text, 'captured'::text, 'voided'::text, 'failed'::text]))),
  CONSTRAINT payment_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id),
  CONSTRAINT payment_surplus_check CHECK ((surplus >= 0))
);
CREATE INDEX payment_store_id_order_id_idx ON payment USING btree (store_id, order_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE payment_provider (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  name text NOT NULL,
  is_enabled boolean NOT NULL,
  account text COLLATE "C" NOT NULL,
  mode text,
  credentials text,
  credential_fields text[] NOT NULL,
  credentials_updated_at timestamp with time zone NOT NULL,
  previous_credentials text,
  previous_valid_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT payment_provider_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT payment_provider_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  CONSTRAINT payment_provider_previous_credentials_check CHECK (((previous_credentials IS NULL) = (previous_valid_until IS NULL))),
  CONSTRAINT payment_provider_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX payment_provider_store_id_created_at_idx ON payment_provider USING btree (store_id, created_at, id);
CREATE UNIQUE INDEX payment_provider_store_id_type_account_mode_key ON payment_provider USING btree (store_id, type, account, mode) NULLS NOT DISTINCT WHERE (account <> ''::text);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE payment_provider_store (
  provider_id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  CONSTRAINT payment_provider_store_pkey PRIMARY KEY (provider_id),
  CONSTRAINT payment_provider_store_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);

CREATE TABLE product (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_source_id text COLLATE "C",
  type text NOT NULL DEFAULT 'SIMPLE'::text,
  status text NOT NULL DEFAULT 'draft'::text,
  name text NOT NULL,
  slug text NOT NULL,
  sku text,
  gtin text,
  mpn text,
  description text,
  description_format text NOT NULL DEFAULT 'html'::text,
  meta_description text,
  base_price bigint NOT NULL DEFAULT 0,
  sale_price bigint,
  cost_price bigint,
  sale_price_starts_at timestamp with time zone,
  sale_price_ends_at timestamp with time zone,
  shipping_weight_value numeric(12,4),
  shipping_weight_unit text,
  shipping_length_value numeric(12,4),
  shipping_width_value numeric(12,4),
  shipping_height_value numeric(12,4),
  shipping_dimension_unit text,
  shipping_class_id text COLLATE "C",
  tax_behavior text,
  tax_class_id text COLLATE "C",
  is_downloadable boolean NOT NULL DEFAULT false,
  download_data jsonb,
  menu_order integer NOT NULL DEFAULT 0,
  tags text[] NOT NULL DEFAULT '{}'::text[],
  images jsonb NOT NULL DEFAULT '[]'::jsonb,
  translations jsonb NOT NULL DEFAULT '{}'::jsonb,
  cross_sells text[] NOT NULL DEFAULT '{}'::text[],
  upsells text[] NOT NULL DEFAULT '{}'::text[],
  related text[] NOT NULL DEFAULT '{}'::text[],
  search text NOT NULL DEFAULT ''::text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  kit_pricing_mode text,
  kit_discount_value numeric(5,2),
  has_modifier_groups boolean NOT NULL DEFAULT false,
  channel_ids text[] COLLATE "C",
  CONSTRAINT product_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT product_base_price_check CHECK (((base_price >= 0) AND ((sale_price IS NULL) OR ((sale_price >= 0) AND (sale_price <= base_price))))),
  CONSTRAINT product_kit_discount_value_check CHECK (((kit_discount_value >= (0)::numeric) AND (kit_discount_value <= (100)::numeric))),
  CONSTRAINT product_kit_pricing_mode_check CHECK ((kit_pricing_mode = ANY (ARRAY['FIXED'::text, 'COMPONENTS'::text]))),
  CONSTRAINT product_sale_window_check CHECK (((sale_price_starts_at IS NULL) = (sale_price_ends_at IS NULL))),
  CONSTRAINT product_status_check CHECK ((status = ANY (ARRAY['active'::text, 'draft'::text]))),
  CONSTRAINT product_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT product_store_id_shipping_class_id_fkey FOREIGN KEY (store_id, shipping_class_id) REFERENCES shipping_class(store_id, id),
  CONSTRAINT product_store_id_tax_class_id_fkey FOREIGN KEY (store_id, tax_class_id) REFERENCES tax_class(store_id, id),
  CONSTRAINT product_type_check CHECK ((type = ANY (ARRAY['SIMPLE'::text, 'VARIABLE'::text, 'KIT'::text])))
);
CREATE UNIQUE INDEX product_store_id_external_source_id_key ON product USING btree (store_id, external_source_id) WHERE (deleted_at IS NULL);
CREATE INDEX product_store_id_shipping_class_id_idx ON product USING btree (store_id, shipping_class_id) WHERE (shipping_class_id IS NOT NULL);
CREATE INDEX product_store_id_sku_idx ON product USING btree (store_id, sku);
CREATE UNIQUE INDEX product_store_id_slug_key ON product USING btree (store_id, slug) WHERE (deleted_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER product_deleted_stale AFTER DELETE ON product REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_stale()
CREATE TRIGGER product_inserted_stale AFTER INSERT ON product REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_stale()
CREATE TRIGGER product_updated_stale AFTER UPDATE ON product REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_stale()

CREATE TABLE product_attribute (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  attribute_id text COLLATE "C" NOT NULL,
  option_ids text[] COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT product_attribute_pkey PRIMARY KEY (store_id, product_id, attribute_id),
  CONSTRAINT product_attribute_store_id_attribute_id_fkey FOREIGN KEY (store_id, attribute_id) REFERENCES attribute(store_id, id),
  CONSTRAINT product_attribute_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX product_attribute_store_id_attribute_id_idx ON product_attribute USING btree (store_id, attribute_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER product_attribute_deleted_stale AFTER DELETE ON product_attribute REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_attribute_stale()
CREATE TRIGGER product_attribute_inserted_stale AFTER INSERT ON product_attribute REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_attribute_stale()
CREATE TRIGGER product_attribute_updated_stale AFTER UPDATE ON product_attribute REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_attribute_stale()

CREATE TABLE product_brand (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  brand_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT product_brand_pkey PRIMARY KEY (store_id, product_id, brand_id),
  CONSTRAINT product_brand_store_id_brand_id_fkey FOREIGN KEY (store_id, brand_id) REFERENCES brand(store_id, id),
  CONSTRAINT product_brand_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX product_brand_store_id_brand_id_idx ON product_brand USING btree (store_id, brand_id, product_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER product_brand_deleted_stale AFTER DELETE ON product_brand REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_brand_stale()
CREATE TRIGGER product_brand_inserted_stale AFTER INSERT ON product_brand REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_brand_stale()
CREATE TRIGGER product_brand_updated_stale AFTER UPDATE ON product_brand REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_brand_stale()

CREATE TABLE product_category (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  category_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL DEFAULT 0,
  CONSTRAINT product_category_pkey PRIMARY KEY (store_id, product_id, category_id),
  CONSTRAINT product_category_store_id_category_id_fkey FOREIGN KEY (store_id, category_id) REFERENCES category(store_id, id),
  CONSTRAINT product_category_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX product_category_store_id_category_id_idx ON product_category USING btree (store_id, category_id, product_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER product_category_deleted_stale AFTER DELETE ON product_category REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_category_stale()
CREATE TRIGGER product_category_inserted_stale AFTER INSERT ON product_category REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_category_stale()
CREATE TRIGGER product_category_updated_stale AFTER UPDATE ON product_category REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_category_stale()

CREATE TABLE product_document (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  stock_keys text[] COLLATE "C" NOT NULL,
  document text NOT NULL STORAGE EXTERNAL,
  digest text COLLATE "C" NOT NULL GENERATED AS md5(document),
  link_ids text[] COLLATE "C" NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT product_document_pkey PRIMARY KEY (store_id, product_id),
  CONSTRAINT product_document_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product_listing(store_id, product_id) ON DELETE CASCADE
) WITH (toast_tuple_target=8160);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE product_import (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT product_import_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT product_import_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX product_import_pending_idx ON product_import USING btree (store_id, id) WHERE (finished_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE product_import_row (
  store_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  index integer NOT NULL,
  input jsonb NOT NULL,
  product_id text COLLATE "C",
  error jsonb,
  CONSTRAINT product_import_row_pkey PRIMARY KEY (store_id, import_id, index),
  CONSTRAINT product_import_row_error_check CHECK (((product_id IS NULL) OR (error IS NULL))),
  CONSTRAINT product_import_row_store_id_import_id_fkey FOREIGN KEY (store_id, import_id) REFERENCES product_import(store_id, id) ON DELETE CASCADE
);
CREATE INDEX product_import_row_pending_idx ON product_import_row USING btree (store_id, import_id, index) WHERE ((product_id IS NULL) AND (error IS NULL));
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE product_listing (
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  price_since timestamp with time zone NOT NULL,
  price_until timestamp with time zone NOT NULL,
  price bigint NOT NULL,
  regular_price bigint NOT NULL,
  sale_price bigint NOT NULL,
  base_price bigint NOT NULL,
  menu_order integer NOT NULL,
  store_id text COLLATE "C" NOT NULL STORAGE MAIN,
  product_id text COLLATE "C" NOT NULL STORAGE MAIN,
  status text NOT NULL STORAGE MAIN,
  channel_ids text[] COLLATE "C" STORAGE MAIN,
  search tsvector NOT NULL DEFAULT ''::tsvector STORAGE EXTERNAL,
  type text NOT NULL STORAGE MAIN,
  filter_keys text[] COLLATE "C" NOT NULL STORAGE MAIN,
  name text NOT NULL STORAGE MAIN,
  slug text NOT NULL STORAGE MAIN,
  sku text STORAGE MAIN,
  sale_starts_at timestamp with time zone,
  sale_ends_at timestamp with time zone,
  buyable boolean,
  filler text NOT NULL DEFAULT repeat(' '::text, 2100) STORAGE MAIN,
  CONSTRAINT product_listing_pkey PRIMARY KEY (store_id, product_id),
  CONSTRAINT product_listing_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
) WITH (autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX product_listing_filter_keys_idx ON product_listing USING gin (filter_keys) WHERE (status = 'active'::text);
CREATE INDEX product_listing_search_idx ON product_listing USING gin (search) WITH (gin_pending_list_limit='512');
CREATE INDEX product_listing_store_id_base_price_idx ON product_listing USING btree (store_id, base_price, product_id) INCLUDE (status, channel_ids);
CREATE INDEX product_listing_store_id_created_at_idx ON product_listing USING btree (store_id, created_at, product_id) INCLUDE (status, channel_ids);
CREATE INDEX product_listing_store_id_menu_order_idx ON product_listing USING btree (store_id, menu_order, product_id) INCLUDE (status, channel_ids);
CREATE INDEX product_listing_store_id_name_idx ON product_listing USING btree (store_id, name, product_id) INCLUDE (status, channel_ids);
CREATE INDEX product_listing_store_id_price_idx ON product_listing USING btree (store_id, price, product_id) INCLUDE (status, channel_ids, price_since, price_until);
CREATE INDEX product_listing_store_id_price_since_idx ON product_listing USING btree (store_id, price_since) WHERE (price_since > '-infinity'::timestamp with time zone);
CREATE INDEX product_listing_store_id_price_until_idx ON product_listing USING btree (store_id, price_until) WHERE (price_until < 'infinity'::timestamp with time zone);
CREATE INDEX product_listing_store_id_slug_idx ON product_listing USING btree (store_id, slug) WHERE (status = 'active'::text);
CREATE INDEX product_listing_store_id_undecided_idx ON product_listing USING btree (store_id) WHERE ((buyable IS NULL) AND (status = 'active'::text));
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER product_listing_deleted_version AFTER DELETE ON product_listing REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_listing_versions()
CREATE TRIGGER product_listing_inserted_version AFTER INSERT ON product_listing REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_listing_versions()
CREATE TRIGGER product_listing_updated_version AFTER UPDATE ON product_listing REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_listing_versions()

CREATE TABLE product_modifier_group (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  "position" integer NOT NULL,
  min_override integer,
  max_override integer,
  required_override boolean,
  free_quantity_override integer,
  free_allocation_policy_override text,
  default_modifier_ids text[] COLLATE "C" NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT product_modifier_group_pkey PRIMARY KEY (store_id, product_id, id),
  CONSTRAINT product_modifier_group_store_id_group_id_fkey FOREIGN KEY (store_id, group_id) REFERENCES modifier_group(store_id, id),
  CONSTRAINT product_modifier_group_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id),
  CONSTRAINT product_modifier_group_store_id_product_id_group_id_key UNIQUE NULLS NOT DISTINCT (store_id, product_id, group_id, variant_id),
  CONSTRAINT product_modifier_group_store_id_variant_id_fkey FOREIGN KEY (store_id, variant_id) REFERENCES product_variant(store_id, id) ON DELETE CASCADE
);
CREATE INDEX product_modifier_group_store_id_group_id_idx ON product_modifier_group USING btree (store_id, group_id);
CREATE INDEX product_modifier_group_store_id_variant_id_idx ON product_modifier_group USING btree (store_id, variant_id) WHERE (variant_id IS NOT NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER product_modifier_group_deleted_stale AFTER DELETE ON product_modifier_group REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_modifier_group_stale()
CREATE TRIGGER product_modifier_group_inserted_stale AFTER INSERT ON product_modifier_group REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_modifier_group_stale()
CREATE TRIGGER product_modifier_group_updated_stale AFTER UPDATE ON product_modifier_group REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_modifier_group_stale()

CREATE TABLE product_rating (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  stars_1 integer NOT NULL DEFAULT 0,
  stars_2 integer NOT NULL DEFAULT 0,
  stars_3 integer NOT NULL DEFAULT 0,
  stars_4 integer NOT NULL DEFAULT 0,
  stars_5 integer NOT NULL DEFAULT 0,
  CONSTRAINT product_rating_pkey PRIMARY KEY (store_id, product_id),
  CONSTRAINT product_rating_stars_check CHECK (((stars_1 >= 0) AND (stars_2 >= 0) AND (stars_3 >= 0) AND (stars_4 >= 0) AND (stars_5 >= 0))),
  CONSTRAINT product_rating_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER product_rating_deleted_stale AFTER DELETE ON product_rating REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_rating_stale()
CREATE TRIGGER product_rating_inserted_stale AFTER INSERT ON product_rating REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_rating_stale()
CREATE TRIGGER product_rating_updated_stale AFTER UPDATE ON product_rating REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_rating_stale()

CREATE TABLE product_slug (
  store_id text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL,
  locale text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  CONSTRAINT product_slug_pkey PRIMARY KEY (store_id, slug, locale),
  CONSTRAINT product_slug_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX product_slug_store_id_product_id_idx ON product_slug USING btree (store_id, product_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER product_slug_deleted_version AFTER DELETE ON product_slug REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('text')
CREATE TRIGGER product_slug_inserted_version AFTER INSERT ON product_slug REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('text')
CREATE TRIGGER product_slug_updated_version AFTER UPDATE ON product_slug REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('text')

CREATE TABLE product_stale (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  cause text NOT NULL,
  CONSTRAINT product_stale_pkey PRIMARY KEY (store_id, product_id, id),
  CONSTRAINT product_stale_cause_check CHECK ((cause = ANY (ARRAY['rows'::text, 'stock'::text, 'again'::text])))
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE product_variant (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  sku text,
  name text NOT NULL,
  attributes jsonb NOT NULL DEFAULT '{}'::jsonb,
  price bigint NOT NULL,
  sale_price bigint,
  cost_price bigint,
  image text,
  "position" integer NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'active'::text,
  is_downloadable boolean NOT NULL DEFAULT false,
  download_data jsonb,
  shipping_class_id text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  option_ids text[] COLLATE "C" NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT product_variant_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT product_variant_price_check CHECK (((price >= 0) AND ((sale_price IS NULL) OR ((sale_price >= 0) AND (sale_price <= price))))),
  CONSTRAINT product_variant_status_check CHECK ((status = ANY (ARRAY['active'::text, 'draft'::text]))),
  CONSTRAINT product_variant_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id),
  CONSTRAINT product_variant_store_id_shipping_class_id_fkey FOREIGN KEY (store_id, shipping_class_id) REFERENCES shipping_class(store_id, id)
);
CREATE INDEX product_variant_option_ids_idx ON product_variant USING gin (option_ids) WHERE (option_ids <> '{}'::text[]);
CREATE UNIQUE INDEX product_variant_store_id_product_id_attributes_key ON product_variant USING btree (store_id, product_id, attributes) WHERE (option_ids = '{}'::text[]);
CREATE INDEX product_variant_store_id_product_id_idx ON product_variant USING btree (store_id, product_id, "position", id);
CREATE UNIQUE INDEX product_variant_store_id_product_id_option_ids_key ON product_variant USING btree (store_id, product_id, option_ids) WHERE (option_ids <> '{}'::text[]);
CREATE INDEX product_variant_store_id_shipping_class_id_idx ON product_variant USING btree (store_id, shipping_class_id) WHERE (shipping_class_id IS NOT NULL);
CREATE INDEX product_variant_store_id_sku_idx ON product_variant USING btree (store_id, sku);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER product_variant_deleted_stale AFTER DELETE ON product_variant REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_variant_stale()
CREATE TRIGGER product_variant_inserted_stale AFTER INSERT ON product_variant REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_variant_stale()
CREATE TRIGGER product_variant_updated_stale AFTER UPDATE ON product_variant REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION product_variant_stale()

CREATE TABLE promotion (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  type text NOT NULL,
  percent numeric,
  amount bigint,
  config jsonb NOT NULL DEFAULT '{}'::jsonb,
  minimum_order_amount bigint,
  applicable_products text[] COLLATE "C" NOT NULL DEFAULT '{}'::text[],
  applicable_categories text[] COLLATE "C" NOT NULL DEFAULT '{}'::text[],
  applicable_brands text[] COLLATE "C" NOT NULL DEFAULT '{}'::text[],
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  usage_limit integer,
  usage_limit_per_customer integer,
  is_active boolean NOT NULL DEFAULT true,
  priority integer NOT NULL DEFAULT 0,
  combines_with_other boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT promotion_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT promotion_amount_check CHECK ((((type = 'AMOUNT_OFF'::text) = (amount IS NOT NULL)) AND (amount >= 0))),
  CONSTRAINT promotion_limits_check CHECK (((usage_limit > 0) AND (usage_limit_per_customer > 0))),
  CONSTRAINT promotion_minimum_check CHECK ((minimum_order_amount >= 0)),
  CONSTRAINT promotion_percent_check CHECK ((((type = 'PERCENTAGE_OFF'::text) = (percent IS NOT NULL)) AND ((percent >= (0)::numeric) AND (percent <= (100)::numeric)))),
  CONSTRAINT promotion_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT promotion_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT promotion_type_check CHECK ((type = ANY (ARRAY['PERCENTAGE_OFF'::text, 'AMOUNT_OFF'::text, 'BUY_X_GET_Y'::text, 'TIERED'::text, 'FREE_SHIPPING'::text]))),
  CONSTRAINT promotion_window_check CHECK ((starts_at < ends_at))
);
CREATE INDEX promotion_store_id_priority_idx ON promotion USING btree (store_id, priority, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER promotion_deleted_size AFTER DELETE ON promotion REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER promotion_inserted_size AFTER INSERT ON promotion REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER promotion_updated_size AFTER UPDATE ON promotion REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')

CREATE TABLE provider_notice (
  provider_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C",
  body bytea NOT NULL,
  version integer NOT NULL DEFAULT 1,
  state text NOT NULL DEFAULT 'open'::text,
  reason text,
  received_at timestamp with time zone NOT NULL,
  check_at timestamp with time zone,
  checks integer NOT NULL DEFAULT 0,
  attention_at timestamp with time zone,
  CONSTRAINT provider_notice_pkey PRIMARY KEY (provider_id, event_id),
  CONSTRAINT provider_notice_body_check CHECK ((octet_length(body) <= 262144)),
  CONSTRAINT provider_notice_state_check CHECK (((state = ANY (ARRAY['open'::text, 'applied'::text, 'foreign'::text, 'set_aside'::text])) AND ((state = 'open'::text) = (check_at IS NOT NULL)))),
  CONSTRAINT provider_notice_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX provider_notice_attention_idx ON provider_notice USING btree (received_at) WHERE ((state = 'set_aside'::text) OR ((state = 'open'::text) AND (attention_at IS NOT NULL)));
CREATE INDEX provider_notice_provider_id_check_at_idx ON provider_notice USING btree (provider_id, check_at) WHERE (state = 'open'::text);
CREATE INDEX provider_notice_received_at_idx ON provider_notice USING btree (received_at) WHERE (state = ANY (ARRAY['applied'::text, 'foreign'::text]));
CREATE INDEX provider_notice_store_id_idx ON provider_notice USING btree (store_id) WHERE (store_id IS NOT NULL);

CREATE TABLE provider_operation (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  charge_key text COLLATE "C",
  provider text NOT NULL,
  external_id text COLLATE "C",
  amount bigint NOT NULL,
  captured bigint NOT NULL DEFAULT 0,
  currency text NOT NULL,
  error text,
  details jsonb,
  check_at timestamp with time zone,
  checks integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  refunded bigint NOT NULL DEFAULT 0,
  refunding bigint NOT NULL DEFAULT 0,
  kind text NOT NULL,
  subject_type text NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  charge_id text COLLATE "C",
  state text NOT NULL,
  provider_id text COLLATE "C" NOT NULL,
  account text NOT NULL DEFAULT ''::text,
  mode text NOT NULL DEFAULT 'live'::text,
  answer jsonb,
  next_action text,
  expires_at timestamp with time zone,
  looks integer NOT NULL DEFAULT 0,
  sent_at timestamp with time zone NOT NULL,
  refund_key text,
  released_at timestamp with time zone,
  open_since timestamp with time zone NOT NULL,
  attention text,
  attention_at timestamp with time zone,
  CONSTRAINT provider_operation_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT provider_operation_amount_check CHECK (((amount >= 0) AND ((amount > 0) OR (kind = 'void'::text)) AND (captured >= 0) AND (refunded >= 0) AND (refunding >= 0) AND ((kind <> 'authorize'::text) OR ((refunded <= captured) AND (refunding <= captured) AND ((captured <= amount) OR (state = ANY (ARRAY['refund_due'::text, 'refunded'::text]))))))),
  CONSTRAINT provider_operation_attention_check CHECK (((attention IS NULL) = (attention_at IS NULL))),
  CONSTRAINT provider_operation_charge_check CHECK ((((kind = 'authorize'::text) = (charge_key IS NOT NULL)) AND ((kind = 'authorize'::text) = (charge_id IS NULL)))),
  CONSTRAINT provider_operation_kind_check CHECK ((kind = ANY (ARRAY['authorize'::text, 'capture'::text, 'void'::text, 'refund'::text]))),
  CONSTRAINT provider_operation_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  CONSTRAINT provider_operation_state_check CHECK ((((kind = 'authorize'::text) AND (state = ANY (ARRAY['calling'::text, 'awaiting_shopper'::text, 'succeeded'::text, 'declined'::text, 'failed'::text, 'absent'::text, 'refund_due'::text, 'refunded'::text]))) OR ((kind <> 'authorize'::text) AND (state = ANY (ARRAY['calling'::text, 'pending'::text, 'succeeded'::text, 'failed'::text]))))),
  CONSTRAINT provider_operation_store_id_charge_id_fkey FOREIGN KEY (store_id, charge_id) REFERENCES provider_operation(store_id, id),
  CONSTRAINT provider_operation_store_id_charge_key_key UNIQUE (store_id, charge_key)
);
CREATE INDEX provider_operation_store_id_attention_at_idx ON provider_operation USING btree (store_id, attention_at) WHERE (attention_at IS NOT NULL);
CREATE INDEX provider_operation_store_id_charge_id_idx ON provider_operation USING btree (store_id, charge_id) WHERE (charge_id IS NOT NULL);
CREATE INDEX provider_operation_store_id_external_id_idx ON provider_operation USING btree (store_id, external_id) WHERE ((kind = 'authorize'::text) AND (external_id IS NOT NULL));
CREATE INDEX provider_operation_store_id_open_since_idx ON provider_operation USING btree (store_id, open_since) WHERE ((attention_at IS NULL) AND (error IS NOT NULL) AND (check_at IS NOT NULL));
CREATE INDEX provider_operation_store_id_provider_id_check_at_idx ON provider_operation USING btree (store_id, provider_id, check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX provider_operation_store_id_subject_id_idx ON provider_operation USING btree (store_id, subject_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE UNLOGGED TABLE rate_window (
  bucket text COLLATE "C" NOT NULL,
  window_start bigint NOT NULL,
  ends_at bigint NOT NULL,
  count integer NOT NULL,
  CONSTRAINT rate_window_pkey PRIMARY KEY (bucket, window_start)
);
CREATE INDEX rate_window_ends_at_idx ON rate_window USING btree (ends_at);

CREATE TABLE redemption (
  store_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  holder_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C",
  customer_id text COLLATE "C",
  held_until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT redemption_pkey PRIMARY KEY (store_id, kind, source_id, holder_id),
  CONSTRAINT redemption_held_until_check CHECK (((order_id IS NULL) = (held_until IS NOT NULL))),
  CONSTRAINT redemption_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX redemption_customer_idx ON redemption USING btree (store_id, kind, source_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX redemption_held_idx ON redemption USING btree (store_id, kind, source_id, held_until) WHERE (order_id IS NULL);
CREATE INDEX redemption_holder_idx ON redemption USING btree (store_id, holder_id) WHERE (order_id IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE redemption_counter (
  store_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  uses integer NOT NULL DEFAULT 0,
  CONSTRAINT redemption_counter_pkey PRIMARY KEY (store_id, kind, source_id),
  CONSTRAINT redemption_counter_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT redemption_counter_uses_check CHECK ((uses >= 0))
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE refund (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  reason text,
  status text NOT NULL,
  type text NOT NULL,
  source text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  external_id text COLLATE "C",
  key text COLLATE "C",
  succeeded_at timestamp with time zone,
  request_id text COLLATE "C",
  asked bigint,
  actor jsonb,
  CONSTRAINT refund_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT refund_amount_check CHECK ((amount > 0)),
  CONSTRAINT refund_source_check CHECK ((source = ANY (ARRAY['service'::text, 'provider'::text]))),
  CONSTRAINT refund_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))),
  CONSTRAINT refund_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id),
  CONSTRAINT refund_store_id_payment_id_fkey FOREIGN KEY (store_id, payment_id) REFERENCES payment(store_id, id),
  CONSTRAINT refund_type_check CHECK ((type = ANY (ARRAY['full'::text, 'partial'::text])))
);
CREATE INDEX refund_store_id_order_id_idx ON refund USING btree (store_id, order_id, created_at, id);
CREATE UNIQUE INDEX refund_store_id_payment_id_external_id_key ON refund USING btree (store_id, payment_id, external_id);
CREATE UNIQUE INDEX refund_store_id_payment_id_key_key ON refund USING btree (store_id, payment_id, key);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE refund_item (
  store_id text COLLATE "C" NOT NULL,
  refund_id text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  quantity integer NOT NULL,
  amount bigint NOT NULL,
  tax bigint NOT NULL,
  restock integer NOT NULL,
  CONSTRAINT refund_item_pkey PRIMARY KEY (store_id, refund_id, item_id),
  CONSTRAINT refund_item_amount_check CHECK (((amount >= 0) AND (tax >= 0))),
  CONSTRAINT refund_item_quantity_check CHECK (((quantity > 0) AND ((restock >= 0) AND (restock <= quantity)))),
  CONSTRAINT refund_item_store_id_order_id_item_id_fkey FOREIGN KEY (store_id, order_id, item_id) REFERENCES order_item(store_id, order_id, id),
  CONSTRAINT refund_item_store_id_refund_id_fkey FOREIGN KEY (store_id, refund_id) REFERENCES refund_request(store_id, id)
);
CREATE INDEX refund_item_store_id_order_id_idx ON refund_item USING btree (store_id, order_id, item_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE refund_request (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  shipping bigint NOT NULL DEFAULT 0,
  shipping_tax bigint NOT NULL DEFAULT 0,
  reason text,
  request_key text COLLATE "C",
  is_buyer_told boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  CONSTRAINT refund_request_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT refund_request_amount_check CHECK (((amount > 0) AND (shipping >= 0) AND (shipping_tax >= 0))),
  CONSTRAINT refund_request_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id)
);
CREATE INDEX refund_request_store_id_order_id_idx ON refund_request USING btree (store_id, order_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE region (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  currency text NOT NULL,
  countries text[] NOT NULL,
  tax_inclusive boolean NOT NULL,
  price_rounding bigint,
  provider_installation_ids text[] NOT NULL,
  is_default boolean NOT NULL,
  is_active boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT region_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT region_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT region_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT region_store_id_is_default_excl EXCLUDE USING btree (store_id WITH =) WHERE (is_default) DEFERRABLE
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE region_country (
  store_id text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  region_id text COLLATE "C" NOT NULL,
  CONSTRAINT region_country_pkey PRIMARY KEY (store_id, country),
  CONSTRAINT region_country_store_id_region_id_fkey FOREIGN KEY (store_id, region_id) REFERENCES region(store_id, id) ON DELETE CASCADE
);
CREATE INDEX region_country_store_id_region_id_idx ON region_country USING btree (store_id, region_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE reservation (
  store_id text COLLATE "C" NOT NULL,
  holder_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  quantity integer NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT reservation_pkey PRIMARY KEY (store_id, holder_id, key),
  CONSTRAINT reservation_quantity_check CHECK ((quantity > 0)),
  CONSTRAINT reservation_store_id_key_fkey FOREIGN KEY (store_id, key) REFERENCES stock(store_id, key) ON DELETE CASCADE
);
CREATE INDEX reservation_store_id_expires_at_idx ON reservation USING btree (store_id, expires_at);
CREATE INDEX reservation_store_id_key_expires_at_idx ON reservation USING btree (store_id, key, expires_at);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE review (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  customer_id text COLLATE "C",
  author_name text,
  rating smallint NOT NULL,
  title text,
  body text NOT NULL,
  photos jsonb NOT NULL DEFAULT '[]'::jsonb,
  status text NOT NULL,
  verified_purchase boolean NOT NULL,
  reply text,
  locale text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT review_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT review_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
  CONSTRAINT review_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text]))),
  CONSTRAINT review_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id),
  CONSTRAINT review_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT review_store_id_product_id_customer_id_key UNIQUE (store_id, product_id, customer_id),
  CONSTRAINT review_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX review_store_id_created_at_idx ON review USING btree (store_id, created_at, id);
CREATE INDEX review_store_id_customer_id_idx ON review USING btree (store_id, customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX review_store_id_product_id_created_at_idx ON review USING btree (store_id, product_id, created_at, id) WHERE (status = 'APPROVED'::text);
CREATE INDEX review_store_id_product_id_rating_idx ON review USING btree (store_id, product_id, rating, created_at, id) WHERE (status = 'APPROVED'::text);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE sales_channel (
  id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  domain text,
  mode text NOT NULL DEFAULT 'test'::text,
  storefront_read_enabled boolean NOT NULL DEFAULT true,
  cart_enabled boolean NOT NULL DEFAULT true,
  customer_auth_enabled boolean NOT NULL DEFAULT true,
  orders_write_enabled boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT sales_channel_pkey PRIMARY KEY (id),
  CONSTRAINT sales_channel_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  CONSTRAINT sales_channel_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX sales_channel_store_id_idx ON sales_channel USING btree (store_id, id);

CREATE TABLE search_name (
  store_id text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  channel_ids text[] COLLATE "C",
  CONSTRAINT search_name_pkey PRIMARY KEY (store_id, word, id)
);
CREATE INDEX search_name_store_id_id_idx ON search_name USING btree (store_id, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE search_word (
  store_id text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  keys text[] COLLATE "C" NOT NULL,
  unused_since timestamp with time zone,
  CONSTRAINT search_word_pkey PRIMARY KEY (store_id, word, id)
);
CREATE INDEX search_word_keys_idx ON search_word USING gin (keys);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE shared_size (
  store_id text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT shared_size_pkey PRIMARY KEY (store_id, slot)
) WITH (fillfactor=50);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE shipping_class (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  slug text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  external_id text COLLATE "C",
  CONSTRAINT shipping_class_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT shipping_class_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT shipping_class_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT shipping_class_store_id_name_key UNIQUE (store_id, name),
  CONSTRAINT shipping_class_store_id_slug_key UNIQUE (store_id, slug)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER shipping_class_deleted_size AFTER DELETE ON shipping_class REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER shipping_class_deleted_version AFTER DELETE ON shipping_class REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER shipping_class_inserted_size AFTER INSERT ON shipping_class REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER shipping_class_inserted_version AFTER INSERT ON shipping_class REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')
CREATE TRIGGER shipping_class_updated_size AFTER UPDATE ON shipping_class REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER shipping_class_updated_version AFTER UPDATE ON shipping_class REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised('labels')

CREATE TABLE shipping_rate (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  zone_id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  description text,
  type text NOT NULL,
  rate_config jsonb NOT NULL DEFAULT '{}'::jsonb,
  min_delivery_days integer,
  max_delivery_days integer,
  handling_time integer,
  tax_status text NOT NULL DEFAULT 'taxable'::text,
  min_order_amount bigint,
  max_cost bigint,
  class_costs jsonb NOT NULL DEFAULT '{}'::jsonb,
  class_calculation_type text NOT NULL DEFAULT 'PER_CLASS'::text,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT shipping_rate_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT shipping_rate_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT shipping_rate_store_id_zone_id_fkey FOREIGN KEY (store_id, zone_id) REFERENCES shipping_zone(store_id, id) ON DELETE CASCADE,
  CONSTRAINT shipping_rate_tax_status_check CHECK ((tax_status = ANY (ARRAY['taxable'::text, 'none'::text]))),
  CONSTRAINT shipping_rate_type_check CHECK ((type = ANY (ARRAY['FLAT'::text, 'FREE'::text, 'BY_WEIGHT'::text, 'BY_PRICE'::text, 'BY_ITEM'::text, 'PICKUP'::text])))
);
CREATE INDEX shipping_rate_store_id_zone_id_idx ON shipping_rate USING btree (store_id, zone_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE shipping_zone (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  countries text[] NOT NULL,
  regions jsonb NOT NULL DEFAULT '{}'::jsonb,
  postal_codes jsonb NOT NULL DEFAULT '{}'::jsonb,
  geometry jsonb,
  geometry_labels text[] NOT NULL DEFAULT '{}'::text[],
  region_ids text[] NOT NULL DEFAULT '{}'::text[],
  sales_channel_ids text[] NOT NULL DEFAULT '{}'::text[],
  priority integer NOT NULL DEFAULT 0,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT shipping_zone_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT shipping_zone_priority_check CHECK ((priority >= 0)),
  CONSTRAINT shipping_zone_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT shipping_zone_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX shipping_zone_store_id_priority_idx ON shipping_zone USING btree (store_id, priority, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE stock (
  store_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  tracking_mode text NOT NULL DEFAULT 'TRACKED'::text,
  backorder_mode text NOT NULL DEFAULT 'DENY'::text,
  backorder_limit integer,
  total integer NOT NULL DEFAULT 0,
  reserved integer NOT NULL DEFAULT 0,
  low_stock_threshold integer,
  last_inventory_sync_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT stock_pkey PRIMARY KEY (store_id, key),
  CONSTRAINT stock_available_check CHECK (((tracking_mode <> 'TRACKED'::text) OR (backorder_mode = 'ALLOW'::text) OR ((total - reserved) >= (-
CASE backorder_mode
    WHEN 'LIMITED'::text THEN COALESCE(backorder_limit, 0)
    ELSE 0
END)))),
  CONSTRAINT stock_backorder_mode_check CHECK ((backorder_mode = ANY (ARRAY['DENY'::text, 'ALLOW'::text, 'LIMITED'::text]))),
  CONSTRAINT stock_reserved_check CHECK ((reserved >= 0)),
  CONSTRAINT stock_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id),
  CONSTRAINT stock_store_id_variant_id_fkey FOREIGN KEY (store_id, variant_id) REFERENCES product_variant(store_id, id) ON DELETE CASCADE,
  CONSTRAINT stock_tracking_mode_check CHECK ((tracking_mode = ANY (ARRAY['TRACKED'::text, 'UNTRACKED'::text, 'DISABLED'::text])))
) WITH (fillfactor=80);
CREATE INDEX stock_store_id_product_id_idx ON stock USING btree (store_id, product_id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER stock_began AFTER INSERT ON stock FOR EACH ROW WHEN (((new.tracking_mode <> 'DISABLED'::text) AND ((new.tracking_mode = 'UNTRACKED'::text) OR (new.backorder_mode = 'ALLOW'::text) OR (((new.total - new.reserved) +
        CASE new.backorder_mode
            WHEN 'LIMITED'::text THEN COALESCE(new.backorder_limit, 0)
            ELSE 0
        END) > 0)))) EXECUTE FUNCTION stock_flipped()
CREATE TRIGGER stock_fell_low AFTER UPDATE ON stock FOR EACH ROW WHEN (((new.tracking_mode = 'TRACKED'::text) AND ((new.total - new.reserved) <= new.low_stock_threshold) AND ((old.total - old.reserved) > new.low_stock_threshold))) EXECUTE FUNCTION stock_fell_low()
CREATE TRIGGER stock_flipped AFTER UPDATE ON stock FOR EACH ROW WHEN ((((old.tracking_mode <> 'DISABLED'::text) AND ((old.tracking_mode = 'UNTRACKED'::text) OR (old.backorder_mode = 'ALLOW'::text) OR (((old.total - old.reserved) +
        CASE old.backorder_mode
            WHEN 'LIMITED'::text THEN COALESCE(old.backorder_limit, 0)
            ELSE 0
        END) > 0))) <> ((new.tracking_mode <> 'DISABLED'::text) AND ((new.tracking_mode = 'UNTRACKED'::text) OR (new.backorder_mode = 'ALLOW'::text) OR (((new.total - new.reserved) +
        CASE new.backorder_mode
            WHEN 'LIMITED'::text THEN COALESCE(new.backorder_limit, 0)
            ELSE 0
        END) > 0))))) EXECUTE FUNCTION stock_flipped()

CREATE TABLE stock_alert (
  store_id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  email text NOT NULL,
  locale text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT stock_alert_pkey PRIMARY KEY (store_id, sales_channel_id, key, email),
  CONSTRAINT stock_alert_store_id_sales_channel_id_key_fkey FOREIGN KEY (store_id, sales_channel_id, key) REFERENCES stock_watch(store_id, sales_channel_id, key)
);
CREATE INDEX stock_alert_store_id_created_at_idx ON stock_alert USING btree (store_id, created_at);
CREATE INDEX stock_alert_store_id_email_idx ON stock_alert USING btree (store_id, email);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE stock_movement (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  delta integer NOT NULL,
  reason text NOT NULL,
  reference text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT stock_movement_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT stock_movement_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX stock_movement_store_id_key_idx ON stock_movement USING btree (store_id, key, created_at DESC, id DESC);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE stock_watch (
  store_id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  available_since timestamp with time zone,
  CONSTRAINT stock_watch_pkey PRIMARY KEY (store_id, sales_channel_id, key),
  CONSTRAINT stock_watch_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX stock_watch_store_id_key_idx ON stock_watch USING btree (store_id, key);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE store (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  currency text NOT NULL,
  country text NOT NULL,
  languages text[] NOT NULL DEFAULT '{en}'::text[],
  timezone text NOT NULL DEFAULT 'UTC'::text,
  price_includes_tax boolean NOT NULL DEFAULT false,
  tax_rounding text NOT NULL DEFAULT 'line'::text,
  tax_rounding_mode text NOT NULL DEFAULT 'half_up'::text,
  stack_rounding text NOT NULL DEFAULT 'combined'::text,
  reservation_strategy text NOT NULL DEFAULT 'ON_PAYMENT'::text,
  reservation_minutes integer NOT NULL DEFAULT 15,
  customer_verification text NOT NULL DEFAULT 'off'::text,
  late_capture text NOT NULL DEFAULT 'create_order'::text,
  cart_lifetime_minutes integer NOT NULL DEFAULT 43200,
  checkout_lifetime_minutes integer NOT NULL DEFAULT 1440,
  abandoned_after_minutes integer NOT NULL DEFAULT 240,
  recovery_after_minutes integer NOT NULL DEFAULT 60,
  suspended_at timestamp with time zone,
  rules_version bigint NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  list_limits jsonb NOT NULL DEFAULT '{}'::jsonb,
  discounts_groups boolean NOT NULL DEFAULT false,
  max_products integer,
  max_orders_per_month integer,
  CONSTRAINT store_pkey PRIMARY KEY (id),
  CONSTRAINT store_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT store_max_orders_per_month_check CHECK ((max_orders_per_month >= 0)),
  CONSTRAINT store_max_products_check CHECK ((max_products >= 0)),
  CONSTRAINT store_reservation_minutes_check CHECK (((reservation_minutes >= 1) AND (reservation_minutes <= 10080))),
  CONSTRAINT store_reservation_strategy_check CHECK ((reservation_strategy = ANY (ARRAY['ON_PAYMENT'::text, 'ON_CART'::text]))),
  CONSTRAINT store_stack_rounding_check CHECK ((stack_rounding = ANY (ARRAY['combined'::text, 'each'::text]))),
  CONSTRAINT store_tax_rounding_check CHECK ((tax_rounding = ANY (ARRAY['line'::text, 'unit'::text, 'order'::text]))),
  CONSTRAINT store_tax_rounding_mode_check CHECK ((tax_rounding_mode = ANY (ARRAY['half_up'::text, 'half_even'::text, 'half_down'::text])))
);
CREATE INDEX store_account_id_idx ON store USING btree (account_id);

CREATE TABLE tax_class (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT tax_class_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT tax_class_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT tax_class_store_id_name_key UNIQUE (store_id, name)
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER tax_class_deleted_size AFTER DELETE ON tax_class REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER tax_class_inserted_size AFTER INSERT ON tax_class REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER tax_class_updated_size AFTER UPDATE ON tax_class REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')

CREATE TABLE tax_rate (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  name text NOT NULL,
  country text NOT NULL,
  region text,
  postal_code text,
  rate numeric NOT NULL,
  tax_type text,
  is_inclusive boolean NOT NULL DEFAULT false,
  priority integer NOT NULL DEFAULT 0,
  stackable boolean NOT NULL DEFAULT false,
  exception_countries text[] NOT NULL DEFAULT '{}'::text[],
  is_active boolean NOT NULL DEFAULT true,
  tax_class_id text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT tax_rate_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT tax_rate_rate_check CHECK (((rate >= (0)::numeric) AND (rate <= (100)::numeric))),
  CONSTRAINT tax_rate_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT tax_rate_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT tax_rate_store_id_tax_class_id_fkey FOREIGN KEY (store_id, tax_class_id) REFERENCES tax_class(store_id, id)
);
CREATE INDEX tax_rate_store_id_created_at_idx ON tax_rate USING btree (store_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER tax_rate_deleted_size AFTER DELETE ON tax_rate REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER tax_rate_inserted_size AFTER INSERT ON tax_rate REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')
CREATE TRIGGER tax_rate_updated_size AFTER UPDATE ON tax_rate REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed('f')

CREATE TABLE team_member (
  id text COLLATE "C" NOT NULL,
  store_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C",
  email text NOT NULL,
  role text NOT NULL,
  invited_by text,
  token_hash text COLLATE "C",
  token_expires_at timestamp with time zone,
  mails integer NOT NULL DEFAULT 0,
  mails_since timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT team_member_pkey PRIMARY KEY (id),
  CONSTRAINT team_member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'staff'::text]))),
  CONSTRAINT team_member_store_id_email_key UNIQUE (store_id, email),
  CONSTRAINT team_member_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT team_member_store_id_user_id_key UNIQUE (store_id, user_id),
  CONSTRAINT team_member_token_hash_check CHECK ((((user_id IS NULL) = (token_hash IS NOT NULL)) AND ((token_hash IS NULL) = (token_expires_at IS NULL)))),
  CONSTRAINT team_member_token_hash_key UNIQUE (token_hash),
  CONSTRAINT team_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES dashboard_user(id)
);
CREATE INDEX team_member_user_id_idx ON team_member USING btree (user_id);

CREATE TABLE test_charge (
  store_id text COLLATE "C" NOT NULL,
  charge_key text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  checkout_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  amount bigint NOT NULL,
  captured bigint NOT NULL DEFAULT 0,
  refunded bigint NOT NULL DEFAULT 0,
  currency text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  reference text,
  authorized bigint NOT NULL DEFAULT 0,
  is_released boolean NOT NULL DEFAULT false,
  expires_at timestamp with time zone,
  action_url text,
  reason text,
  changes jsonb NOT NULL DEFAULT '[]'::jsonb,
  disputes jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT test_charge_pkey PRIMARY KEY (store_id, charge_key),
  CONSTRAINT test_charge_amount_check CHECK ((((captured >= 0) AND (captured <= amount)) AND ((refunded >= 0) AND (refunded <= captured)))),
  CONSTRAINT test_charge_status_check CHECK ((status = ANY (ARRAY['awaiting_shopper'::text, 'processing'::text, 'pending'::text, 'authorized'::text, 'captured'::text, 'declined'::text, 'failed'::text, 'voided'::text]))),
  CONSTRAINT test_charge_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX test_charge_id_idx ON test_charge USING btree (id);
CREATE INDEX test_charge_store_id_checkout_id_idx ON test_charge USING btree (store_id, checkout_id, created_at);
CREATE UNIQUE INDEX test_charge_store_id_id_key ON test_charge USING btree (store_id, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE webhook_delivery (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  repeat integer NOT NULL DEFAULT 0,
  status text NOT NULL,
  is_probe boolean NOT NULL DEFAULT false,
  attempt_count integer NOT NULL DEFAULT 0,
  attempts jsonb NOT NULL DEFAULT '[]'::jsonb,
  due_at timestamp with time zone,
  lease text,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT webhook_delivery_due_at_check CHECK (((due_at IS NULL) = (status <> 'pending'::text))),
  CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'abandoned'::text, 'blocked'::text, 'cancelled'::text]))),
  CONSTRAINT webhook_delivery_store_id_event_id_subscription_id_repeat_key UNIQUE (store_id, event_id, subscription_id, repeat)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX webhook_delivery_due_idx ON webhook_delivery USING btree (store_id, subscription_id, due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_delivery_finished_idx ON webhook_delivery USING btree (store_id, subscription_id, created_at, id) WHERE (due_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))
CREATE TRIGGER webhook_deliveries_added AFTER INSERT ON webhook_delivery REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_counted()
CREATE TRIGGER webhook_deliveries_removed AFTER DELETE ON webhook_delivery REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION webhook_deliveries_counted()

CREATE TABLE webhook_delivery_count (
  store_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  total bigint NOT NULL,
  CONSTRAINT webhook_delivery_count_pkey PRIMARY KEY (store_id, subscription_id),
  CONSTRAINT webhook_delivery_count_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
) WITH (fillfactor=50);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE webhook_subscription (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  description text,
  is_active boolean NOT NULL,
  secret text NOT NULL,
  secret_prefix text NOT NULL,
  failure_count integer NOT NULL DEFAULT 0,
  circuit_opened_at timestamp with time zone,
  probing_since timestamp with time zone,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  standard_headers boolean NOT NULL DEFAULT false,
  deleted_at timestamp with time zone,
  CONSTRAINT webhook_subscription_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT webhook_subscription_failure_count_check CHECK ((failure_count >= 0)),
  CONSTRAINT webhook_subscription_probing_since_check CHECK (((probing_since IS NULL) OR (circuit_opened_at IS NOT NULL))),
  CONSTRAINT webhook_subscription_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX webhook_subscription_store_id_created_at_idx ON webhook_subscription USING btree (store_id, created_at, id);
CREATE INDEX webhook_subscription_store_id_deleted_at_idx ON webhook_subscription USING btree (store_id, deleted_at) WHERE (deleted_at IS NOT NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE OR REPLACE FUNCTION public.analyze_grown(done text[])
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  grown regclass;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7165064744911531880) THEN RETURN NULL; END IF;
  -- A migration that makes an index counts the pages of its table and nothing else, and upgrading the server forgets what was counted.
  SELECT t.oid INTO grown FROM (
    SELECT c.oid, pg_relation_size(c.oid) / current_setting('block_size')::int AS pages,
      CASE WHEN pg_stat_get_analyze_count(c.oid) + pg_stat_get_autoanalyze_count(c.oid) = 0 THEN 0 ELSE c.relpages END AS counted
    FROM pg_class c WHERE c.relkind = 'r' AND has_table_privilege('commerce_app', c.oid, 'INSERT') AND pg_has_role(c.relowner, 'USAGE')
      AND c.oid::regclass::text <> ALL(done) OFFSET 0) AS t
  WHERE t.pages >= t.counted + greatest(2, t.counted / 5)
  ORDER BY t.pages DESC LIMIT 1;
  IF grown IS NULL THEN RETURN NULL; END IF;
  EXECUTE format('ANALYZE (SKIP_LOCKED) %s', grown);
  -- Entries that wait for their place in an index are read by every search, and make the index look expensive.
  PERFORM gin_clean_pending_list(x.oid) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
  WHERE i.indrelid = grown AND m.amname = 'gin';
  RETURN grown;
END
$function$

CALLED BY OWNER, commerce_app

CREATE OR REPLACE FUNCTION public.bundle_offer_stale()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.trigger_product_id, 'rows' FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.catalog_search(store text, asked jsonb, shown text[], reader text)
 RETURNS tsquery[]
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  mark CONSTANT text := search_mark(store);
  terms jsonb; term jsonb; words text[]; begins boolean; near text[]; named text[];
  whole text[] := ARRAY[NULL, NULL, NULL, NULL]; part text[];
  corrections int := 4; names int := 50;
BEGIN
  FOR terms IN SELECT value FROM jsonb_array_elements(asked) LOOP
    -- All of nothing but exclusions is everything else.
    part := array_fill(CASE WHEN terms @> '[{"excluded": false}]' THEN NULL ELSE format('''%s''', mark) END, ARRAY[4]);
    FOR term IN SELECT value FROM jsonb_array_elements(terms) LOOP
      words := ARRAY(SELECT jsonb_array_elements_text(term -> 'words'));
      begins := (term ->> 'begins')::boolean;
      named := search_named(store, words, begins, reader, names);
      near := '{}';
      IF corrections > 0 AND cardinality(words) = 1 AND term @> '{"quoted": false, "excluded": false}'
        AND length(words[1]) > 3 AND words[1] !~ '^[0-9]+$' AND NOT search_lists(store, words[1], begins) THEN
        corrections := corrections - 1;
        IF NOT search_describes(store, words[1], begins, shown) THEN
          near := search_near(store, words[1]);
          named := named || ARRAY(SELECT i FROM unnest(near) AS w, unnest(search_named(store, ARRAY[w], false, reader, names)) AS i LIMIT names);
        END IF;
      END IF;
      names := greatest(0, names - cardinality(named));
      FOR level IN 0..3 LOOP
        part[level + 1] := concat_ws(' & ', part[level + 1], search_term(mark, level, term, named, near));
      END LOOP;
    END LOOP;
    FOR level IN 1..4 LOOP
      whole[level] := concat_ws(' | ', whole[level], '(' || part[level] || ')');
    END LOOP;
  END LOOP;
  -- Words are letters and digits: nothing else of the text looks like an operator.
  IF whole[4] LIKE '%<->%' AND 2000 < (SELECT count(*) FROM (SELECT FROM product_listing l WHERE l.store_id || '' = store AND l.search @@
      replace(regexp_replace(whole[4], '!\(\([^()]*<->[^()]*\)', format('(''%s''', mark), 'g'), '<->', '&')::tsquery LIMIT 2001) AS found) THEN
    whole := replace(whole::text, '<->', '&')::text[];
  END IF;
  RETURN whole::tsquery[];
END
$function$

CREATE OR REPLACE FUNCTION public.catalog_version_raised()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  store text;
BEGIN
  -- In a transaction of one snapshot a row that another has raised since could not be taken: it adds its own.
  IF row_security_active(TG_RELID) AND current_setting('transaction_isolation') = 'read committed' THEN
    store := current_setting('app.store_id', true);
    UPDATE catalog_version v SET version = v.version + 1
    WHERE v.store_id = store AND v.kind = TG_ARGV[0] AND EXISTS (SELECT FROM changed) AND v.slot = (
      SELECT f.slot FROM catalog_version f WHERE f.store_id = store AND f.kind = TG_ARGV[0] LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF FOUND THEN RETURN NULL; END IF;
  END IF;
  FOR store IN SELECT DISTINCT c.store_id FROM changed c LOOP
    PERFORM raise_catalog_version(store, TG_ARGV[0]);
  END LOOP;
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.composed_table(name regclass, product_column text DEFAULT 'product_id'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  EXECUTE format('CREATE FUNCTION %s_stale() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.%I, ''rows'' FROM changed c;
      RETURN NULL;
    END
    $body$', name, product_column);
  PERFORM pin_function(name || '_stale');
  PERFORM stale_triggers(name, name || '_stale');
END
$function$

CREATE OR REPLACE FUNCTION public.download_number(stored jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN jsonb_typeof(stored) = 'number' THEN least(greatest(trunc(stored::text::numeric), 0), 2147483647)::int END
$function$

CREATE OR REPLACE FUNCTION public.grow_shared(store text, growth bigint, thing name)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- In a transaction of one snapshot a row that another has changed since could not be taken.
  IF current_setting('transaction_isolation') = 'read committed' THEN
    UPDATE shared_size s SET bytes = s.bytes + growth WHERE s.store_id = store AND s.slot = (
      SELECT f.slot FROM shared_size f WHERE f.store_id = store LIMIT 1 FOR UPDATE SKIP LOCKED);
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' OR NOT FOUND THEN
    INSERT INTO shared_size (store_id, slot, bytes) VALUES (store, floor(random() * 9007199254740992)::bigint, growth);
  END IF;
  IF growth > 0 AND thing IS NOT NULL AND (SELECT sum(s.bytes) FROM shared_size s WHERE s.store_id = store) > 8388608 THEN
    RAISE EXCEPTION 'the shared things of % have more than 8 MiB', store
      USING ERRCODE = 'check_violation', CONSTRAINT = 'shared_size', TABLE = thing;
  END IF;
END
$function$

CREATE OR REPLACE FUNCTION public.kit_component_fits(variant_id text, product_type text, deleted_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT product_type <> 'KIT' AND (product_type = 'VARIABLE') = (variant_id IS NOT NULL) AND deleted_at IS NULL
$function$

CREATE OR REPLACE FUNCTION public.kit_component_is_offered(variant_id text, product_type text, product_status text, deleted_at timestamp with time zone, variant_status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(kit_component_fits(variant_id, product_type, deleted_at) AND product_status = 'active'
    AND (variant_id IS NULL OR variant_status = 'active'), false)
$function$

CREATE OR REPLACE FUNCTION public.kit_component_stale()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.kit_id, 'rows' FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.kit_parts(store text, kit text, at timestamp with time zone, named boolean)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN coalesce((
    SELECT json_agg(jsonb_build_object('productId', c.product_id, 'variantId', c.variant_id, 'quantity', c.quantity,
      'isOffered', kit_component_is_offered(c.variant_id, p.type, p.status, p.deleted_at, v.status),
      'isThere', kit_component_fits(c.variant_id, p.type, p.deleted_at) AND (c.variant_id IS NULL OR v.id IS NOT NULL),
      'price', coalesce(v.price, p.base_price)::text, 'salePrice', (CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END)::text,
      'saleStartsAt', round(extract(epoch FROM p.sale_price_starts_at) * 1000), 'saleEndsAt', round(extract(epoch FROM p.sale_price_ends_at) * 1000),
      'weight', p.shipping_weight_value::text, 'weightUnit', p.shipping_weight_unit, 'isDownloadable', p.is_downloadable OR coalesce(v.is_downloadable, false),
      'stock', CASE WHEN s.key IS NOT NULL THEN jsonb_build_object('trackingMode', s.tracking_mode, 'backorderMode', s.backorder_mode,
        'backorderLimit', s.backorder_limit, 'total', s.total, 'lowStockThreshold', s.low_stock_threshold,
        'reserved', (SELECT * FROM stock_reserved_at(s.store_id, s.key, s.reserved, at))) END)
      || CASE WHEN named THEN jsonb_build_object('name', p.name, 'slug', p.slug, 'image', coalesce(v.image, p.images -> 0 ->> 'url'), 'translations', (
        SELECT coalesce(jsonb_object_agg(t.key, jsonb_build_object('name', t.value -> 'name')), '{}')
        FROM jsonb_each(p.translations) AS t WHERE jsonb_typeof(t.value) = 'object')) ELSE '{}' END
      ORDER BY c.position)
    FROM kit_component c JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id
    LEFT JOIN product_variant v ON v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id
    LEFT JOIN stock s ON s.store_id = c.store_id AND s.key = coalesce(c.variant_id, c.product_id)
    WHERE c.store_id = store AND c.kit_id = kit), '[]');
END
$function$

CREATE OR REPLACE FUNCTION public.kit_price_at(store text, kit text, at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT round(sum(c.quantity * price_at(coalesce(v.price, p.base_price),
      CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END, p.sale_price_starts_at, p.sale_price_ends_at, at)) * (100 - coalesce(k.kit_discount_value, 0)) / 100)::bigint
  FROM product k
  JOIN kit_component c ON c.store_id = k.store_id AND c.kit_id = k.id
  JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id
  LEFT JOIN product_variant v ON v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id
  WHERE k.store_id = store AND k.id = kit AND k.kit_pricing_mode = 'COMPONENTS'
  GROUP BY k.kit_discount_value
$function$

CREATE OR REPLACE FUNCTION public.kit_price_until(store text, kit text, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(min(t.moment), 'infinity')
  FROM kit_component c
  JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id
  LEFT JOIN product_variant v ON v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id
  CROSS JOIN LATERAL (VALUES (p.sale_price_starts_at), (p.sale_price_ends_at)) AS t (moment)
  WHERE c.store_id = store AND c.kit_id = kit AND t.moment > at AND CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END IS NOT NULL
$function$

CREATE OR REPLACE FUNCTION public.label_table(name regclass)
 RETURNS void
 LANGUAGE sql
AS $function$ SELECT versioned_table(name, 'labels') $function$

CREATE OR REPLACE FUNCTION public.listing_buyable(store text, product text, product_type text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE product_type WHEN 'KIT' THEN NULL ELSE listing_buyable_at(store, product, product_type, '-infinity') END
$function$

CREATE OR REPLACE FUNCTION public.listing_buyable_at(store text, product text, product_type text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE product_type
    WHEN 'KIT' THEN EXISTS (SELECT FROM kit_component c WHERE c.store_id = store AND c.kit_id = product) AND NOT EXISTS (
      SELECT FROM kit_component c JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id
      LEFT JOIN product_variant v ON v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id
      WHERE c.store_id = store AND c.kit_id = product
        AND NOT (kit_component_is_offered(c.variant_id, p.type, p.status, p.deleted_at, v.status) AND EXISTS (SELECT FROM stock s
          WHERE s.store_id = store AND s.key = coalesce(c.variant_id, c.product_id) AND stock_sells_at(s, c.quantity, at))))
    WHEN 'VARIABLE' THEN EXISTS (SELECT FROM product_variant v WHERE v.store_id = store AND v.product_id = product AND v.status = 'active' AND EXISTS (
      SELECT FROM stock s WHERE s.store_id = v.store_id AND s.key = v.id AND stock_sells_at(s, 1, at) OFFSET 0))
    ELSE EXISTS (SELECT FROM stock s WHERE s.store_id = store AND s.key = product AND stock_sells_at(s, 1, at))
  END
$function$

CREATE OR REPLACE FUNCTION public.media_ids(named jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(array_agg(DISTINCT 'media_' || m[1]), '{}') FROM regexp_matches(named::text, '[0-9a-f]{32}-([0-9a-z]{26})', 'g') AS m
$function$

CREATE OR REPLACE FUNCTION public.metafield_definition_refiltered()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT v.store_id, v.product_id, 'again' FROM metafield_value v WHERE v.store_id = NEW.store_id AND v.definition_id = NEW.id;
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.metafield_stale()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT DISTINCT c.store_id, c.product_id, CASE WHEN TG_OP <> 'DELETE' OR EXISTS (SELECT FROM metafield_definition d
    WHERE d.store_id = c.store_id AND d.id = c.definition_id) THEN 'rows' ELSE 'again' END FROM changed c;
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.number_events_after(last bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  numbers regclass := pg_get_serial_sequence('event', 'seq');
  given bigint;
BEGIN
  IF last > 4503599627370496 THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('number_events_after', 0));
  EXECUTE format('SELECT last_value FROM %s', numbers) INTO given;
  IF last >= given THEN PERFORM setval(numbers, last + 1000); END IF;
  RETURN true;
END
$function$

CALLED BY OWNER, commerce_app

CREATE OR REPLACE FUNCTION public.offered_modifier_groups(store text, product text, variant text, chosen jsonb, locale text)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN coalesce((
    SELECT json_agg(json_build_object('id', g.id, 'name', text_in(g.translations, locale, 'name', g.name), 'selectionType', g.selection_type,
      'minSelections', coalesce(a.min_override, g.min_selections), 'maxSelections', coalesce(a.max_override, g.max_selections),
      'required', coalesce(a.required_override, g.required), 'freeQuantity', coalesce(a.free_quantity_override, g.free_quantity),
      'freeAllocationPolicy', coalesce(a.free_allocation_policy_override, g.free_allocation_policy), 'modifiers', coalesce((
        SELECT json_agg(json_build_object('id', m.id, 'name', text_in(m.translations, locale, 'name', m.name), 'sku', m.sku,
          'priceDelta', m.price_delta::text, 'isAvailable', m.available) ORDER BY m.position, m.id)
        FROM modifier m WHERE m.store_id = g.store_id AND m.group_id = g.id AND m.status = 'active' AND CASE
          WHEN chosen IS NOT NULL THEN m.id IN (SELECT c ->> 'modifierId' FROM jsonb_array_elements(chosen) c)
          WHEN a.default_modifier_ids = '{}' THEN m.is_default
          ELSE m.id = ANY(a.default_modifier_ids) END), '[]'::json)) ORDER BY a.position, a.id)
    FROM product_modifier_group a JOIN modifier_group g ON g.store_id = a.store_id AND g.id = a.group_id
    WHERE a.store_id = store AND a.product_id = product AND g.status = 'active' AND (a.variant_id = variant
      OR a.variant_id IS NULL AND NOT EXISTS (SELECT FROM product_modifier_group o WHERE o.store_id = a.store_id
        AND o.product_id = a.product_id AND o.group_id = a.group_id AND o.variant_id = variant))), '[]'::json);
END
$function$

CREATE OR REPLACE FUNCTION public.order_counts(counts jsonb, status text, more integer)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT counts || jsonb_build_object(status, coalesce((counts->>status)::bigint, 0) + more)
$function$

CREATE OR REPLACE FUNCTION public.order_month_counted()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  current text := to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM');
BEGIN
  NEW.month_orders := CASE WHEN NEW.month >= current THEN NEW.month_orders + 1 ELSE 1 END;
  NEW.month := greatest(NEW.month, current);
  RETURN NEW;
END
$function$

CREATE OR REPLACE FUNCTION public.order_status_counted()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE order_counter SET by_status = order_counts(order_counts(by_status, OLD.status, -1), NEW.status, 1) WHERE store_id = NEW.store_id;
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.pin_function(name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', name, current_schema());
END
$function$

CREATE OR REPLACE FUNCTION public.price_at(price bigint, sale_price bigint, starts_at timestamp with time zone, ends_at timestamp with time zone, at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN (starts_at IS NULL OR starts_at <= at) AND (ends_at IS NULL OR ends_at > at)
    THEN coalesce(sale_price, price) ELSE price END
$function$

CREATE OR REPLACE FUNCTION public.price_since(starts_at timestamp with time zone, ends_at timestamp with time zone, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT greatest(CASE WHEN starts_at <= at THEN starts_at END, CASE WHEN ends_at <= at THEN ends_at END, '-infinity')
$function$

CREATE OR REPLACE FUNCTION public.price_until(starts_at timestamp with time zone, ends_at timestamp with time zone, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT least(CASE WHEN starts_at > at THEN starts_at END, CASE WHEN ends_at > at THEN ends_at END, 'infinity')
$function$

CREATE OR REPLACE FUNCTION public.product_attribute_stale()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.product_id, 'rows' FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_brand_stale()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.product_id, 'rows' FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_category_stale()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.product_id, 'rows' FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_groups(of_store text, of_product text, its_tags text[])
 RETURNS json
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN json_build_object(
    'categories', coalesce((
      WITH RECURSIVE up AS (
        SELECT c.id, c.parent_id FROM product_category pc
          JOIN category c ON c.store_id = pc.store_id AND c.id = pc.category_id AND c.deleted_at IS NULL
          WHERE pc.store_id = of_store AND pc.product_id = of_product
        UNION
        SELECT c.id, c.parent_id FROM up JOIN category c ON c.store_id = of_store AND c.id = up.parent_id
      ) SELECT json_agg(id) FROM up), '[]'::json),
    'brands', coalesce((SELECT json_agg(pb.brand_id) FROM product_brand pb
      WHERE pb.store_id = of_store AND pb.product_id = of_product), '[]'::json),
    'tags', its_tags);
END $function$

CREATE OR REPLACE FUNCTION public.product_listing_versions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  aspect record;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    FOR aspect IN
      SELECT n.store_id,
        bool_or((o.status, o.type, o.channel_ids, o.filter_keys, o.menu_order, o.created_at)
          IS DISTINCT FROM (n.status, n.type, n.channel_ids, n.filter_keys, n.menu_order, n.created_at)) AS members,
        bool_or((o.name, o.slug, o.sku, o.search) IS DISTINCT FROM (n.name, n.slug, n.sku, n.search)) AS text,
        bool_or((o.base_price, o.price, o.price_since, o.price_until, o.regular_price, o.sale_price, o.sale_starts_at, o.sale_ends_at)
          IS DISTINCT FROM (n.base_price, n.price, n.price_since, n.price_until, n.regular_price, n.sale_price, n.sale_starts_at, n.sale_ends_at)) AS price,
        bool_or(o.buyable IS DISTINCT FROM n.buyable) AS stock
      FROM before o JOIN changed n ON n.store_id = o.store_id AND n.product_id = o.product_id GROUP BY n.store_id
    LOOP
      IF aspect.members THEN PERFORM raise_catalog_version(aspect.store_id, 'members'); END IF;
      IF aspect.text THEN PERFORM raise_catalog_version(aspect.store_id, 'text'); END IF;
      IF aspect.price THEN PERFORM raise_catalog_version(aspect.store_id, 'price'); END IF;
      IF aspect.stock THEN PERFORM raise_catalog_version(aspect.store_id, 'stock'); END IF;
    END LOOP;
    RETURN NULL;
  END IF;
  FOR aspect IN SELECT DISTINCT c.store_id FROM changed c LOOP
    PERFORM raise_catalog_version(aspect.store_id, 'members');
  END LOOP;
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.product_modifier_group_stale()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.product_id, 'rows' FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_rating_stale()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.product_id, 'rows' FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_stale()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.id, 'rows' FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_variant_stale()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, cause) SELECT DISTINCT c.store_id, c.product_id, 'rows' FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.raise_catalog_version(store text, what text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- In a transaction of one snapshot a row that another has raised since could not be taken: it adds its own.
  IF current_setting('transaction_isolation') = 'read committed' THEN
    UPDATE catalog_version v SET version = v.version + 1
    WHERE v.store_id = store AND v.kind = what AND v.slot = (
      SELECT f.slot FROM catalog_version f WHERE f.store_id = store AND f.kind = what ORDER BY f.slot LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF FOUND THEN RETURN; END IF;
  END IF;
  INSERT INTO catalog_version (store_id, kind, slot, version) VALUES (store, what, floor(random() * 9007199254740992)::bigint, 1);
END
$function$

CREATE OR REPLACE FUNCTION public.rate_take(buckets text[], starts bigint[], ends bigint[], limits integer[])
 RETURNS integer[]
 LANGUAGE plpgsql
AS $function$
DECLARE
  counts int[] := '{}';
  current int;
  refused boolean;
BEGIN
  FOR i IN 1 .. array_length(buckets, 1) LOOP
    IF limits[i] < 0 THEN
      SELECT coalesce(max(count), 0) INTO current FROM rate_window WHERE bucket = buckets[i] AND window_start = starts[i];
      refused := current >= -limits[i];
    ELSE
      INSERT INTO rate_window AS w (bucket, window_start, ends_at, count) VALUES (buckets[i], starts[i], ends[i], 1)
      ON CONFLICT (bucket, window_start) DO UPDATE SET count = w.count + 1 WHERE w.count < limits[i]
      RETURNING count INTO current;
      refused := NOT FOUND;
    END IF;
    IF refused THEN
      FOR j IN 1 .. i - 1 LOOP
        UPDATE rate_window SET count = count - 1 WHERE bucket = buckets[j] AND window_start = starts[j] AND limits[j] > 0;
      END LOOP;
      RETURN counts || -i;
    END IF;
    counts := counts || current;
  END LOOP;
  RETURN counts;
END
$function$

CREATE OR REPLACE FUNCTION public.search_describes(store text, asked text, begins boolean, shown text[])
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM product_listing l WHERE l.store_id || '' = store AND l.status || '' = ANY(shown)
    AND l.search @@ (format('''%s3%s''%s', search_mark(store), asked, CASE WHEN begins THEN ':*' ELSE '' END)::tsquery));
END
$function$

CREATE OR REPLACE FUNCTION public.search_fold(raw text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT replace(replace(replace(replace(translate(lower(
    regexp_replace(normalize(lower(normalize(raw, NFKD)), NFKD), '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc\u09be-\u09c4\u09c7\u09c8\u09cb-\u09cd\u09d7\u09e2\u09e3\u09fe\u0a01-\u0a03\u0a3c\u0a3e-\u0a42\u0a47\u0a48\u0a4b-\u0a4d\u0a51\u0a70\u0a71\u0a75\u0a81-\u0a83\u0abc\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae2\u0ae3\u0afa-\u0aff\u0b01-\u0b03\u0b3c\u0b3e-\u0b44\u0b47\u0b48\u0b4b-\u0b4d\u0b55-\u0b57\u0b62\u0b63\u0b82\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d\u0c55\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbc\u0cbe-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5\u0cd6\u0ce2\u0ce3\u0cf3\u0d00-\u0d03\u0d3b\u0d3c\u0d3e-\u0d44\u0d46-\u0d48\u0d4a-\u0d4d\u0d57\u0d62\u0d63\u0d81-\u0d83\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0df2\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0f97\u0f99-\u0fbc\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u135d-\u135f\u1712-\u1715\u1732-\u1734\u1752\u1753\u1772\u1773\u17b4-\u17d3\u17dd\u180b-\u180d\u180f\u1885\u1886\u18a9\u1920-\u192b\u1930-\u193b\u1a17-\u1a1b\u1a55-\u1a5e\u1a60-\u1a7c\u1a7f\u1ab0-\u1add\u1ae0-\u1aeb\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\ua672\ua674-\ua67d\ua69e\ua69f\ua6f0\ua6f1\ua802\ua806\ua80b\ua823-\ua827\ua82c\ua880\ua881\ua8b4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36\uaa43\uaa4c\uaa4d\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7\uaab8\uaabe\uaabf\uaac1\uaaeb-\uaaef\uaaf5\uaaf6\uabe3-\uabea\uabec\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f]', '', 'g')),
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯøØđĐðÐłŁħĦŧŦı', 'αβγδεζηθικλμνξοπρστυφχψωσѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяooddddllhhtti'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$function$

CREATE OR REPLACE FUNCTION public.search_keys(store text, word text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  IF length(word) NOT BETWEEN 3 AND 40 OR word ~ '^[0-9]+$' THEN RETURN '{}'; END IF;
  RETURN ARRAY(
    SELECT DISTINCT search_mark(store) || k FROM (
      SELECT '-' || word UNION ALL SELECT '-' || left(word, i - 1) || substr(word, i + 1) FROM generate_series(1, length(word)) AS i
      UNION ALL SELECT '~' || substr('  ' || word || ' ', i, 3) FROM generate_series(1, length(word) + 1) AS i WHERE word !~ '[0-9]') AS made (k));
END
$function$

CREATE OR REPLACE FUNCTION public.search_lists(store text, asked text, begins boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  last CONSTANT text := CASE WHEN begins THEN asked || chr(1114111) ELSE asked END;
BEGIN
  RETURN EXISTS (SELECT FROM search_word k WHERE k.store_id = store AND k.word >= asked AND k.word <= last);
END
$function$

CREATE OR REPLACE FUNCTION public.search_mark(store text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT substr(encode(sha256(convert_to(store, 'UTF8')), 'hex'), 1, 6) $function$

CREATE OR REPLACE FUNCTION public.search_name_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  words text[] := '{}';
  -- Not every table of names has channels.
  published jsonb := to_jsonb(NEW) -> 'channel_ids';
BEGIN
  DELETE FROM search_name n WHERE n.store_id = NEW.store_id AND n.id = NEW.id;
  IF NEW.is_active AND NEW.deleted_at IS NULL THEN
    words := search_words(concat_ws(' ', NEW.name, (SELECT string_agg(t.value ->> 'name', ' ') FROM jsonb_each(NEW.translations) AS t
      WHERE jsonb_typeof(t.value) = 'object')));
    INSERT INTO search_name (store_id, word, id, channel_ids) SELECT NEW.store_id, w, NEW.id, CASE WHEN jsonb_typeof(published) = 'array'
      THEN ARRAY(SELECT jsonb_array_elements_text(published)) END FROM unnest(words) AS w;
    PERFORM search_words_known(NEW.store_id, words);
  END IF;
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.search_name_published()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  UPDATE search_name n SET channel_ids = NEW.channel_ids WHERE n.store_id = NEW.store_id AND n.id = NEW.id;
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.search_named(store text, words text[], begins boolean, reader text, most integer)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  first CONSTANT text := words[cardinality(words)];
  last CONSTANT text := CASE WHEN begins THEN first || chr(1114111) ELSE first END;
BEGIN
  RETURN ARRAY(SELECT n.id FROM search_name n WHERE n.store_id = store AND n.word >= first AND n.word <= last
      AND (reader IS NULL OR n.channel_ids IS NULL OR reader = ANY(n.channel_ids))
      AND NOT EXISTS (SELECT 1 FROM unnest(words[1:cardinality(words) - 1]) AS w WHERE NOT EXISTS (
        SELECT 1 FROM search_name o WHERE o.store_id = store AND o.word = w AND o.id = n.id))
    GROUP BY n.id ORDER BY n.id LIMIT most);
END
$function$

CREATE OR REPLACE FUNCTION public.search_near(store text, asked text)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
AS $function$
DECLARE
  known CONSTANT text[] := search_keys(store, asked);
  trigrams CONSTANT text[] := ARRAY(SELECT k FROM unnest(known) AS k WHERE substr(k, 7, 1) = '~');
  following CONSTANT text[] := ARRAY(SELECT search_mark(store) || '~' || substr('  ' || asked || ' ', i, 3) FROM generate_series(1, length(asked) + 1) AS i);
  found text[];
BEGIN
  IF length(asked) < 4 OR known = '{}' THEN RETURN '{}'; END IF;
  found := ARRAY(SELECT n.word FROM (SELECT DISTINCT w.word, w.keys FROM search_word w
      WHERE w.store_id || '' = store AND w.keys && ARRAY(SELECT k FROM unnest(known) AS k WHERE substr(k, 7, 1) = '-')) AS n
    ORDER BY (SELECT count(*) FROM unnest(n.keys) AS k WHERE k = ANY(trigrams)) DESC, abs(length(n.word) - length(asked)), n.word LIMIT 5);
  IF found <> '{}' OR length(asked) < 6 OR trigrams = '{}' THEN RETURN found; END IF;
  RETURN ARRAY(SELECT s.word FROM (
      SELECT n.word, (SELECT count(*) FROM unnest(n.keys) AS k WHERE k = ANY(trigrams))::numeric AS shared, length(n.word) + 1 AS own FROM (
        SELECT DISTINCT c.word, c.keys FROM generate_series(1, cardinality(following) - 1) AS i, LATERAL (
          SELECT w.word, w.keys FROM search_word w WHERE w.store_id || '' = store AND w.keys @> following[i:i + 1] LIMIT 200) AS c) AS n) AS s
    WHERE s.shared / (s.own + cardinality(trigrams) - s.shared) >= 0.4
    ORDER BY s.shared / (s.own + cardinality(trigrams) - s.shared) DESC, s.word LIMIT 5);
END
$function$

CREATE OR REPLACE FUNCTION public.search_term(mark text, level integer, term jsonb, named text[], near text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT (CASE WHEN (term ->> 'excluded')::boolean THEN '!' ELSE '' END) || '(' || concat_ws(' | ',
    (SELECT '(' || string_agg(format('''%s%s%s''%s', mark, at.level, w.value, CASE WHEN at.begins AND w.i = jsonb_array_length(term -> 'words') THEN ':*' ELSE '' END),
      CASE WHEN (term ->> 'quoted')::boolean THEN ' <-> ' ELSE ' & ' END ORDER BY w.i) || ')'
      FROM jsonb_array_elements_text(term -> 'words') WITH ORDINALITY AS w (value, i)),
    (SELECT format('''%s%s%s''%s', mark, at.level, term ->> 'joined', CASE WHEN at.begins THEN ':*' ELSE '' END) WHERE term ->> 'joined' IS NOT NULL),
    (SELECT string_agg(format('''%s%s%s''', mark, at.level, w), ' | ') FROM unnest(near) AS w),
    (SELECT string_agg(format('''%s#%s''', mark, i), ' | ') FROM unnest(named) AS i WHERE at.level > 1)) || ')'
  FROM (SELECT CASE WHEN (term ->> 'excluded')::boolean THEN 3 ELSE greatest(level, 1) END AS level, (term ->> 'begins')::boolean AND level > 0 AS begins) AS at
$function$

CREATE OR REPLACE FUNCTION public.search_uses(store text, asked text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM search_name n WHERE n.store_id = store AND n.word = asked)
    OR EXISTS (SELECT FROM product_listing l WHERE l.store_id || '' = store AND l.search @@ (format('''%s2%s''', search_mark(store), asked)::tsquery));
END
$function$

CREATE OR REPLACE FUNCTION public.search_words(raw text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
DECLARE
  chunk text; parts text[]; part text; words text[] := '{}'; is_unspaced boolean;
  unspaced CONSTANT text := '\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e50-\u0e59\u0e81\u0e82\u0e84\u0e86-\u0e8a\u0e8c-\u0ea3\u0ea5\u0ea7-\u0eb0\u0eb2\u0eb3\u0ebd\u0ec0-\u0ec4\u0ec6\u0ed0-\u0ed9\u0edc-\u0edf\u1000-\u102a\u103f-\u1049\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e\u1090-\u1099\u1780-\u17b3\u17d7\u17dc\u17e0-\u17e9\u17f0-\u17f9\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9e4\ua9e6-\ua9fe\uaa60-\uaa76\uaa7a\uaa7e\uaa7f\uf900-\ufa6d\ufa70-\ufad9\uff66-\uff6f\uff71-\uff9d\U00020000-\U0003ffff';
  letters CONSTANT text := '\u0030-\u0039\u0041-\u005a\u0061-\u007a\u00aa\u00b2\u00b3\u00b5\u00b9\u00ba\u00bc-\u00be\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02c1\u02c6-\u02d1\u02e0-\u02e4\u02ec\u02ee\u0370-\u0374\u0376\u0377\u037a-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u0559\u0560-\u0588\u05d0-\u05ea\u05ef-\u05f2\u0620-\u064a\u0660-\u0669\u066e\u066f\u0671-\u06d3\u06d5\u06e5\u06e6\u06ee-\u06fc\u06ff\u0710\u0712-\u072f\u074d-\u07a5\u07b1\u07c0-\u07ea\u07f4\u07f5\u07fa\u0800-\u0815\u081a\u0824\u0828\u0840-\u0858\u0860-\u086a\u0870-\u0887\u0889-\u088f\u08a0-\u08c9\u0904-\u0939\u093d\u0950\u0958-\u0961\u0966-\u096f\u0971-\u0980\u0985-\u098c\u098f\u0990\u0993-\u09a8\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09bd\u09ce\u09dc\u09dd\u09df-\u09e1\u09e6-\u09f1\u09f4-\u09f9\u09fc\u0a05-\u0a0a\u0a0f\u0a10\u0a13-\u0a28\u0a2a-\u0a30\u0a32\u0a33\u0a35\u0a36\u0a38\u0a39\u0a59-\u0a5c\u0a5e\u0a66-\u0a6f\u0a72-\u0a74\u0a85-\u0a8d\u0a8f-\u0a91\u0a93-\u0aa8\u0aaa-\u0ab0\u0ab2\u0ab3\u0ab5-\u0ab9\u0abd\u0ad0\u0ae0\u0ae1\u0ae6-\u0aef\u0af9\u0b05-\u0b0c\u0b0f\u0b10\u0b13-\u0b28\u0b2a-\u0b30\u0b32\u0b33\u0b35-\u0b39\u0b3d\u0b5c\u0b5d\u0b5f-\u0b61\u0b66-\u0b6f\u0b71-\u0b77\u0b83\u0b85-\u0b8a\u0b8e-\u0b90\u0b92-\u0b95\u0b99\u0b9a\u0b9c\u0b9e\u0b9f\u0ba3\u0ba4\u0ba8-\u0baa\u0bae-\u0bb9\u0bd0\u0be6-\u0bf2\u0c05-\u0c0c\u0c0e-\u0c10\u0c12-\u0c28\u0c2a-\u0c39\u0c3d\u0c58-\u0c5a\u0c5c\u0c5d\u0c60\u0c61\u0c66-\u0c6f\u0c78-\u0c7e\u0c80\u0c85-\u0c8c\u0c8e-\u0c90\u0c92-\u0ca8\u0caa-\u0cb3\u0cb5-\u0cb9\u0cbd\u0cdc-\u0cde\u0ce0\u0ce1\u0ce6-\u0cef\u0cf1\u0cf2\u0d04-\u0d0c\u0d0e-\u0d10\u0d12-\u0d3a\u0d3d\u0d4e\u0d54-\u0d56\u0d58-\u0d61\u0d66-\u0d78\u0d7a-\u0d7f\u0d85-\u0d96\u0d9a-\u0db1\u0db3-\u0dbb\u0dbd\u0dc0-\u0dc6\u0de6-\u0def\u0f00\u0f20-\u0f33\u0f40-\u0f47\u0f49-\u0f6c\u0f88-\u0f8c\u10a0-\u10c5\u10c7\u10cd\u10d0-\u10fa\u10fc-\u1248\u124a-\u124d\u1250-\u1256\u1258\u125a-\u125d\u1260-\u1288\u128a-\u128d\u1290-\u12b0\u12b2-\u12b5\u12b8-\u12be\u12c0\u12c2-\u12c5\u12c8-\u12d6\u12d8-\u1310\u1312-\u1315\u1318-\u135a\u1369-\u137c\u1380-\u138f\u13a0-\u13f5\u13f8-\u13fd\u1401-\u166c\u166f-\u167f\u1681-\u169a\u16a0-\u16ea\u16ee-\u16f8\u1700-\u1711\u171f-\u1731\u1740-\u1751\u1760-\u176c\u176e-\u1770\u1810-\u1819\u1820-\u1878\u1880-\u1884\u1887-\u18a8\u18aa\u18b0-\u18f5\u1900-\u191e\u1946-\u196d\u1970-\u1974\u1980-\u19ab\u19b0-\u19c9\u19d0-\u19da\u1a00-\u1a16\u1a20-\u1a54\u1a80-\u1a89\u1a90-\u1a99\u1aa7\u1b05-\u1b33\u1b45-\u1b4c\u1b50-\u1b59\u1b83-\u1ba0\u1bae-\u1be5\u1c00-\u1c23\u1c40-\u1c49\u1c4d-\u1c7d\u1c80-\u1c8a\u1c90-\u1cba\u1cbd-\u1cbf\u1ce9-\u1cec\u1cee-\u1cf3\u1cf5\u1cf6\u1cfa\u1d00-\u1dbf\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2070\u2071\u2074-\u2079\u207f-\u2089\u2090-\u209c\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2139\u213c-\u213f\u2145-\u2149\u214e\u2150-\u2189\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u2c00-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\u2cfd\u2d00-\u2d25\u2d27\u2d2d\u2d30-\u2d67\u2d6f\u2d80-\u2d96\u2da0-\u2da6\u2da8-\u2dae\u2db0-\u2db6\u2db8-\u2dbe\u2dc0-\u2dc6\u2dc8-\u2dce\u2dd0-\u2dd6\u2dd8-\u2dde\u2e2f\u3006\u3031-\u3035\u303c\u30fc\u3105-\u312f\u3131-\u318e\u3192-\u3195\u31a0-\u31bf\u3220-\u3229\u3248-\u324f\u3251-\u325f\u3280-\u3289\u32b1-\u32bf\ua000-\ua48c\ua4d0-\ua4fd\ua500-\ua60c\ua610-\ua62b\ua640-\ua66e\ua67f-\ua69d\ua6a0-\ua6ef\ua717-\ua71f\ua722-\ua788\ua78b-\ua7dc\ua7f1-\ua801\ua803-\ua805\ua807-\ua80a\ua80c-\ua822\ua830-\ua835\ua840-\ua873\ua882-\ua8b3\ua8d0-\ua8d9\ua8f2-\ua8f7\ua8fb\ua8fd\ua8fe\ua900-\ua925\ua930-\ua946\ua960-\ua97c\ua984-\ua9b2\ua9cf-\ua9d9\uaa00-\uaa28\uaa40-\uaa42\uaa44-\uaa4b\uaa50-\uaa59\uaa80-\uaaaf\uaab1\uaab5\uaab6\uaab9-\uaabd\uaac0\uaac2\uaadb-\uaadd\uaae0-\uaaea\uaaf2-\uaaf4\uab01-\uab06\uab09-\uab0e\uab11-\uab16\uab20-\uab26\uab28-\uab2e\uab30-\uab5a\uab5c-\uab69\uab70-\uabe2\uabf0-\uabf9\uac00-\ud7a3\ud7b0-\ud7c6\ud7cb-\ud7fb\ufb00-\ufb06\ufb13-\ufb17\ufb1d\ufb1f-\ufb28\ufb2a-\ufb36\ufb38-\ufb3c\ufb3e\ufb40\ufb41\ufb43\ufb44\ufb46-\ufbb1\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb\ufe70-\ufe74\ufe76-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff70\uff9e-\uffbe\uffc2-\uffc7\uffca-\uffcf\uffd2-\uffd7\uffda-\uffdc\U00010000-\U0001efff';
BEGIN
  FOREACH chunk IN ARRAY regexp_split_to_array(search_fold(raw), '[\s\u0085\u1680\u2028\u2029\ufeff]+') LOOP
    parts := ARRAY(SELECT coalesce(m[1], m[2]) FROM regexp_matches(chunk, '([' || unspaced || ']+)|([' || letters || ']+)', 'g') AS m);
    is_unspaced := false;
    FOREACH part IN ARRAY parts LOOP
      IF part ~ ('^[' || unspaced || ']') THEN
        is_unspaced := true;
        words := words || CASE WHEN length(part) = 1 THEN ARRAY[part] ELSE ARRAY(SELECT substr(part, i, 2) FROM generate_series(1, length(part) - 1) AS i) END;
      ELSE
        words := words || left(part, 64);
      END IF;
    END LOOP;
    IF cardinality(parts) > 1 AND NOT is_unspaced THEN words := words || left(array_to_string(parts, ''), 64); END IF;
  END LOOP;
  RETURN ARRAY(SELECT DISTINCT w FROM unnest(words) AS w ORDER BY w);
END
$function$

CREATE OR REPLACE FUNCTION public.search_words_known(store text, words text[])
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO search_word (store_id, word, keys)
  SELECT store, w, search_keys(store, w) FROM (SELECT DISTINCT unnest(words)) AS new (w)
  WHERE NOT EXISTS (SELECT 1 FROM search_word k WHERE k.store_id = store AND k.word = new.w AND k.unused_since IS NULL)
$function$

CREATE OR REPLACE FUNCTION public.searched_names(name regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  EXECUTE format('CREATE TRIGGER %s_inserted_name AFTER INSERT ON %s FOR EACH ROW EXECUTE FUNCTION search_name_changed()', name, name);
  EXECUTE format('CREATE TRIGGER %s_updated_name AFTER UPDATE ON %s FOR EACH ROW
    WHEN ((OLD.name, OLD.translations, OLD.is_active, OLD.deleted_at) IS DISTINCT FROM (NEW.name, NEW.translations, NEW.is_active, NEW.deleted_at))
    EXECUTE FUNCTION search_name_changed()', name, name);
END
$function$

CREATE OR REPLACE FUNCTION public.shared_bytes(thing jsonb, deleted_too text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN deleted_too::boolean OR thing ->> 'deleted_at' IS NULL
    THEN octet_length((thing - '{created_at,updated_at,deleted_at}'::text[])::text) ELSE 0 END::bigint
$function$

CREATE OR REPLACE FUNCTION public.shared_table(name regclass, deleted_too boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  EXECUTE format('CREATE TRIGGER %s_inserted_size AFTER INSERT ON %s REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed(%L)', name, name, deleted_too);
  EXECUTE format('CREATE TRIGGER %s_updated_size AFTER UPDATE ON %s REFERENCING NEW TABLE AS added OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed(%L)', name, name, deleted_too);
  EXECUTE format('CREATE TRIGGER %s_deleted_size AFTER DELETE ON %s REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION shared_things_changed(%L)', name, name, deleted_too);
END
$function$

CREATE OR REPLACE FUNCTION public.shared_things_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  store text;
  growth bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR store, growth IN SELECT a.store_id, sum(shared_bytes(to_jsonb(a), TG_ARGV[0])) FROM added a GROUP BY a.store_id LOOP
      PERFORM grow_shared(store, growth, TG_TABLE_NAME);
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    FOR store, growth IN SELECT g.store_id, sum(shared_bytes(to_jsonb(g), TG_ARGV[0])) FROM gone g GROUP BY g.store_id LOOP
      PERFORM grow_shared(store, -growth, TG_TABLE_NAME);
    END LOOP;
  ELSE
    FOR store, growth IN SELECT c.store_id, sum(c.bytes) FROM (
        SELECT a.store_id, shared_bytes(to_jsonb(a), TG_ARGV[0]) AS bytes FROM added a
        UNION ALL SELECT g.store_id, -shared_bytes(to_jsonb(g), TG_ARGV[0]) FROM gone g) c GROUP BY c.store_id HAVING sum(c.bytes) <> 0 LOOP
      -- Options that pass their names on let go of them for the length of a statement.
      PERFORM grow_shared(store, growth, CASE WHEN TG_TABLE_NAME <> 'attribute_option'
        OR EXISTS (SELECT FROM added a WHERE to_jsonb(a) ->> 'name' <> to_jsonb(a) ->> 'id') THEN TG_TABLE_NAME END);
    END LOOP;
  END IF;
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.sold_downloads(store text, product text, variant text, components jsonb)
 RETURNS TABLE(product_id text, component_name text, file jsonb, download_limit integer, expiry_days integer)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT p.id, CASE WHEN u.at > 0 THEN p.name END, f.file, download_number(d.data -> 'downloadLimit'), download_number(d.data -> 'downloadExpiry')
  FROM (
    SELECT 0 AS at, product AS product_id, variant AS variant_id
    UNION ALL
    SELECT c.at, c.part ->> 'productId', c.part ->> 'variantId'
    FROM jsonb_array_elements(CASE WHEN jsonb_typeof(components) = 'array' THEN components ELSE '[]' END) WITH ORDINALITY AS c (part, at)
  ) u
  JOIN product p ON p.store_id = store AND p.id = u.product_id
  LEFT JOIN product_variant v ON v.store_id = store AND v.product_id = u.product_id AND v.id = u.variant_id
  CROSS JOIN LATERAL (SELECT coalesce(v.download_data, p.download_data) AS data) d
  CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(d.data -> 'files') = 'array' THEN d.data -> 'files' ELSE '[]' END)
    WITH ORDINALITY AS f (file, at)
  WHERE (p.is_downloadable OR coalesce(v.is_downloadable, false)) AND jsonb_typeof(f.file) = 'object'
  ORDER BY u.at, f.at
$function$

CREATE OR REPLACE FUNCTION public.stale_triggers(name regclass, marking text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  EXECUTE format('CREATE TRIGGER %s_inserted_stale AFTER INSERT ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s()', name, name, marking);
  EXECUTE format('CREATE TRIGGER %s_updated_stale AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s()', name, name, marking);
  EXECUTE format('CREATE TRIGGER %s_deleted_stale AFTER DELETE ON %s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s()', name, name, marking);
END
$function$

CREATE OR REPLACE FUNCTION public.stock_backorders(backorder_mode text, backorder_limit integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE backorder_mode WHEN 'ALLOW' THEN NULL WHEN 'LIMITED' THEN coalesce(backorder_limit, 0) ELSE 0 END
$function$

CREATE OR REPLACE FUNCTION public.stock_fell_low()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO event (store_id, id, type, version, data, created_at)
  SELECT NEW.store_id, 'evt_' || md5(concat_ws(' ', 'low', pg_current_xact_id(), now(), NEW.store_id, NEW.key)), 'internal.low_stock', 1,
    jsonb_build_object('productId', p.id, 'variantId', v.id, 'productName', p.name, 'variantName', v.name, 'sku', coalesce(v.sku, p.sku),
      'available', NEW.total - NEW.reserved, 'threshold', NEW.low_stock_threshold), NEW.updated_at
  FROM product p LEFT JOIN product_variant v ON v.store_id = p.store_id AND v.id = NEW.variant_id
  WHERE p.store_id = NEW.store_id AND p.id = NEW.product_id AND p.deleted_at IS NULL
  ON CONFLICT (store_id, id) DO UPDATE SET data = EXCLUDED.data;
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.stock_flipped()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause) VALUES (NEW.store_id, NEW.product_id, 'stock');
  UPDATE stock_watch w SET available_since = CASE WHEN w.available_since IS NULL THEN NEW.updated_at END
  WHERE w.store_id = NEW.store_id AND w.key = ANY (ARRAY[NEW.key, NEW.product_id]
      || ARRAY(SELECT c.kit_id FROM kit_component c WHERE c.store_id = NEW.store_id AND c.product_id = NEW.product_id))
    AND (w.available_since IS NOT NULL) <> stock_watch_is_available(w, NEW.updated_at);
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.stock_reserved_at(store text, stock_key text, reserved integer, at timestamp with time zone)
 RETURNS SETOF integer
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
  SELECT CASE WHEN reserved = 0 THEN 0 ELSE reserved - coalesce((SELECT sum(r.quantity)::int FROM reservation r
    WHERE r.store_id = store AND r.key = stock_key AND r.expires_at <= at), 0) END
$function$

CREATE OR REPLACE FUNCTION public.stock_sells(tracking_mode text, backorder_mode text, backorder_limit integer, free integer, units integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT tracking_mode <> 'DISABLED' AND (tracking_mode = 'UNTRACKED' OR stock_backorders(backorder_mode, backorder_limit) IS NULL
    OR free + stock_backorders(backorder_mode, backorder_limit) >= units)
$function$

CREATE OR REPLACE FUNCTION public.stock_sells_at(s stock, units integer, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT stock_sells(s.tracking_mode, s.backorder_mode, s.backorder_limit,
    s.total - (SELECT * FROM stock_reserved_at(s.store_id, s.key, s.reserved, at)), units)
$function$

CREATE OR REPLACE FUNCTION public.stock_watch_is_available(w stock_watch, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce((
    SELECT p.status = 'active' AND p.deleted_at IS NULL AND (p.channel_ids IS NULL OR w.sales_channel_id = ANY(p.channel_ids))
      AND CASE WHEN w.variant_id IS NULL THEN listing_buyable_at(w.store_id, w.product_id, p.type, at)
      ELSE p.type = 'VARIABLE' AND EXISTS (SELECT FROM product_variant v JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
        WHERE v.store_id = w.store_id AND v.id = w.variant_id AND v.product_id = p.id AND v.status = 'active' AND stock_sells_at(s, 1, at)) END
    FROM product p WHERE p.store_id = w.store_id AND p.id = w.product_id), false)
$function$

CREATE OR REPLACE FUNCTION public.tenant_table(name regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY tenant_read ON %s FOR SELECT USING (true)', name);
  EXECUTE format('CREATE POLICY tenant_insert ON %s FOR INSERT WITH CHECK (store_id = current_setting(''app.store_id'', true))', name);
  EXECUTE format('CREATE POLICY tenant_update ON %s FOR UPDATE USING (store_id = current_setting(''app.store_id'', true))', name);
  EXECUTE format('CREATE POLICY tenant_delete ON %s FOR DELETE USING (store_id = current_setting(''app.store_id'', true))', name);
END
$function$

CREATE OR REPLACE FUNCTION public.text_in(translations jsonb, locale text, field text, own text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
DECLARE
  texts jsonb;
BEGIN
  IF locale IS NULL OR translations = '{}' THEN
    RETURN own;
  END IF;
  SELECT t.value INTO texts FROM jsonb_each(translations) AS t
  WHERE lower(t.key) IN (lower(locale), split_part(lower(locale), '-', 1)) AND jsonb_typeof(t.value) = 'object'
  ORDER BY lower(t.key) = lower(locale) DESC LIMIT 1;
  RETURN coalesce(CASE WHEN jsonb_typeof(texts -> field) = 'string' THEN nullif(texts ->> field, '') END, own);
END
$function$

CREATE OR REPLACE FUNCTION public.variant_attributes(store text, options text[], locale text)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN (SELECT json_object_agg(text_in(a.translations, locale, 'name', a.name), text_in(o.translations, locale, 'name', o.name) ORDER BY k.n)
    FROM unnest(options) WITH ORDINALITY AS k (id, n)
    JOIN attribute_option o ON o.store_id = store AND o.id = k.id
    JOIN attribute a ON a.store_id = o.store_id AND a.id = o.attribute_id);
END
$function$

CREATE OR REPLACE FUNCTION public.variant_name(store text, options text[], locale text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN (SELECT string_agg(text_in(o.translations, locale, 'name', o.name), ' / ' ORDER BY k.n)
    FROM unnest(options) WITH ORDINALITY AS k (id, n)
    JOIN attribute_option o ON o.store_id = store AND o.id = k.id);
END
$function$

CREATE OR REPLACE FUNCTION public.versioned_table(name regclass, what text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  EXECUTE format('CREATE TRIGGER %s_inserted_version AFTER INSERT ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised(%L)', name, name, what);
  EXECUTE format('CREATE TRIGGER %s_updated_version AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised(%L)', name, name, what);
  EXECUTE format('CREATE TRIGGER %s_deleted_version AFTER DELETE ON %s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION catalog_version_raised(%L)', name, name, what);
END
$function$

CREATE OR REPLACE FUNCTION public.webhook_deliveries_counted()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO webhook_delivery_count AS c (store_id, subscription_id, total)
  SELECT store_id, subscription_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY store_id, subscription_id ORDER BY store_id, subscription_id
  ON CONFLICT (store_id, subscription_id) DO UPDATE SET total = c.total + EXCLUDED.total;
  RETURN NULL;
END
$function$

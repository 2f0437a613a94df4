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
  CONSTRAINT api_key_pkey PRIMARY KEY (id),
  CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT api_key_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_key_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT api_key_tier_check CHECK ((tier = ANY (ARRAY['FREE'::text, 'PRO'::text, 'GROWTH'::text, 'ENTERPRISE'::text])))
);
CREATE INDEX api_key_account_id_idx ON api_key USING btree (account_id, id);
CREATE INDEX api_key_account_id_live_idx ON api_key USING btree (account_id, store_id) WHERE (revoked_at IS NULL);

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
  CONSTRAINT cart_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT cart_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'CONVERTED'::text, 'MERGED'::text, 'ABANDONED'::text, 'EXPIRED'::text]))),
  CONSTRAINT cart_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id),
  CONSTRAINT cart_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT cart_store_id_session_token_key UNIQUE (store_id, session_token)
);
CREATE INDEX cart_store_id_customer_id_idx ON cart USING btree (store_id, customer_id, status) WHERE (customer_id IS NOT NULL);
CREATE INDEX cart_store_id_expires_at_idx ON cart USING btree (store_id, expires_at) WHERE (status = ANY (ARRAY['ACTIVE'::text, 'ABANDONED'::text]));
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
  CONSTRAINT cart_item_pkey PRIMARY KEY (store_id, cart_id, id),
  CONSTRAINT cart_item_quantity_check CHECK ((quantity > 0)),
  CONSTRAINT cart_item_store_id_cart_id_fkey FOREIGN KEY (store_id, cart_id) REFERENCES cart(store_id, id) ON DELETE CASCADE,
  CONSTRAINT cart_item_store_id_cart_id_identity_key UNIQUE (store_id, cart_id, identity),
  CONSTRAINT cart_item_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
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
  CONSTRAINT catalog_version_pkey PRIMARY KEY (store_id, kind, slot),
  CONSTRAINT catalog_version_kind_check CHECK ((kind = ANY (ARRAY['listing'::text, 'vocabulary'::text])))
);
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
  CONSTRAINT checkout_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT checkout_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'EXPIRED'::text, 'CANCELLED'::text]))),
  CONSTRAINT checkout_store_id_cart_id_fkey FOREIGN KEY (store_id, cart_id) REFERENCES cart(store_id, id),
  CONSTRAINT checkout_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id)
);
CREATE INDEX checkout_store_id_cart_id_idx ON checkout USING btree (store_id, cart_id, status);
CREATE INDEX checkout_store_id_expires_at_idx ON checkout USING btree (store_id, expires_at) WHERE (status = 'PENDING'::text);
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
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  quantity integer NOT NULL,
  unit_price bigint NOT NULL,
  notes text,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  customizations jsonb NOT NULL DEFAULT '{}'::jsonb,
  modifiers jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT checkout_line_pkey PRIMARY KEY (store_id, checkout_id, id),
  CONSTRAINT checkout_line_quantity_check CHECK ((quantity > 0)),
  CONSTRAINT checkout_line_store_id_checkout_id_fkey FOREIGN KEY (store_id, checkout_id) REFERENCES checkout(store_id, id) ON DELETE CASCADE,
  CONSTRAINT checkout_line_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
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

CREATE TABLE dashboard_user (
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT dashboard_user_pkey PRIMARY KEY (id),
  CONSTRAINT dashboard_user_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  CONSTRAINT dashboard_user_email_key UNIQUE (email)
);

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
  CONSTRAINT email_message_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT email_message_priority_check CHECK (((priority >= 0) AND (priority <= 2))),
  CONSTRAINT email_message_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'KEPT'::text, 'FAILED'::text]))),
  CONSTRAINT email_message_store_id_event_id_event_type_key UNIQUE (store_id, event_id, event_type),
  CONSTRAINT email_message_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
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
  CONSTRAINT email_settings_pkey PRIMARY KEY (store_id),
  CONSTRAINT email_settings_hourly_rate_limit_check CHECK (((hourly_rate_limit >= 1) AND (hourly_rate_limit <= 1000))),
  CONSTRAINT email_settings_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
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
);
CREATE INDEX event_store_id_position_idx ON event USING btree (store_id, "position");
CREATE INDEX event_store_id_seq_idx ON event USING btree (store_id, seq);
CREATE INDEX event_store_id_seq_pending_idx ON event USING btree (store_id, seq) WHERE (relayed_at IS NULL);
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
);
CREATE INDEX idempotency_expires_at_idx ON idempotency USING btree (expires_at);

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
  CONSTRAINT order_adjustment_pkey PRIMARY KEY (store_id, order_id, "position"),
  CONSTRAINT order_adjustment_amount_check CHECK ((amount > 0)),
  CONSTRAINT order_adjustment_kind_check CHECK (((kind <> ''::text) AND (source_id <> ''::text))),
  CONSTRAINT order_adjustment_part_check CHECK ((part = ANY (ARRAY['rule_discount'::text, 'discount'::text, 'shipping'::text, 'tax'::text, 'surcharge'::text]))),
  CONSTRAINT order_adjustment_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id),
  CONSTRAINT order_adjustment_store_id_order_id_item_id_fkey FOREIGN KEY (store_id, order_id, item_id) REFERENCES order_item(store_id, order_id, id),
  CONSTRAINT order_adjustment_target_check CHECK (((target = ANY (ARRAY['line'::text, 'shipping'::text, 'order'::text])) AND ((target = 'line'::text) = (item_id IS NOT NULL))))
);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE order_counter (
  store_id text COLLATE "C" NOT NULL,
  last_number bigint NOT NULL,
  CONSTRAINT order_counter_pkey PRIMARY KEY (store_id),
  CONSTRAINT order_counter_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
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
  CONSTRAINT orders_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT orders_refunded_amount_check CHECK (((refunded_amount >= 0) AND (refunded_amount <= captured_amount))),
  CONSTRAINT orders_store_id_checkout_id_fkey FOREIGN KEY (store_id, checkout_id) REFERENCES checkout(store_id, id),
  CONSTRAINT orders_store_id_checkout_id_key UNIQUE (store_id, checkout_id),
  CONSTRAINT orders_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer(store_id, id),
  CONSTRAINT orders_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT orders_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT orders_store_id_order_number_key UNIQUE (store_id, order_number)
);
CREATE INDEX orders_store_id_created_at_idx ON orders USING btree (store_id, created_at DESC, id DESC);
CREATE INDEX orders_store_id_customer_id_idx ON orders USING btree (store_id, customer_id, created_at DESC, id DESC) WHERE (customer_id IS NOT NULL);
CREATE INDEX orders_store_id_status_idx ON orders USING btree (store_id, status, created_at DESC);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

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
  CONSTRAINT payment_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT payment_amount_check CHECK (((amount >= 0) AND ((captured >= 0) AND (captured <= amount)) AND ((refunded >= 0) AND (refunded <= captured)))),
  CONSTRAINT payment_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'authorized'::text, 'captured'::text, 'voided'::text, 'failed'::text]))),
  CONSTRAINT payment_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id)
);
CREATE INDEX payment_store_id_order_id_idx ON payment USING btree (store_id, order_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

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
  CONSTRAINT product_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT product_base_price_check CHECK (((base_price >= 0) AND ((sale_price IS NULL) OR ((sale_price >= 0) AND (sale_price <= base_price))))),
  CONSTRAINT product_kit_discount_value_check CHECK (((kit_discount_value >= (0)::numeric) AND (kit_discount_value <= (100)::numeric))),
  CONSTRAINT product_kit_pricing_mode_check CHECK ((kit_pricing_mode = ANY (ARRAY['FIXED'::text, 'COMPONENTS'::text]))),
  CONSTRAINT product_sale_window_check CHECK (((sale_price_starts_at IS NULL) = (sale_price_ends_at IS NULL))),
  CONSTRAINT product_status_check CHECK ((status = ANY (ARRAY['active'::text, 'draft'::text]))),
  CONSTRAINT product_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id),
  CONSTRAINT product_store_id_shipping_class_id_fkey FOREIGN KEY (store_id, shipping_class_id) REFERENCES shipping_class(store_id, id) NOT VALID,
  CONSTRAINT product_store_id_tax_class_id_fkey FOREIGN KEY (store_id, tax_class_id) REFERENCES tax_class(store_id, id),
  CONSTRAINT product_type_check CHECK ((type = ANY (ARRAY['SIMPLE'::text, 'VARIABLE'::text, 'KIT'::text])))
);
CREATE INDEX product_store_id_base_price_idx ON product USING btree (store_id, base_price, id) INCLUDE (status) WHERE (deleted_at IS NULL);
CREATE INDEX product_store_id_created_at_idx ON product USING btree (store_id, created_at, id) INCLUDE (status) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX product_store_id_external_source_id_key ON product USING btree (store_id, external_source_id) WHERE (deleted_at IS NULL);
CREATE INDEX product_store_id_menu_order_idx ON product USING btree (store_id, menu_order, id) INCLUDE (status) WHERE (deleted_at IS NULL);
CREATE INDEX product_store_id_name_idx ON product USING btree (store_id, name, id) INCLUDE (status) WHERE (deleted_at IS NULL);
CREATE INDEX product_store_id_shipping_class_id_idx ON product USING btree (store_id, shipping_class_id) WHERE (shipping_class_id IS NOT NULL);
CREATE INDEX product_store_id_sku_idx ON product USING btree (store_id, sku);
CREATE UNIQUE INDEX product_store_id_slug_key ON product USING btree (store_id, slug) WHERE (deleted_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

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

CREATE TABLE product_document (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  stock_keys text[] COLLATE "C" NOT NULL,
  document text NOT NULL,
  CONSTRAINT product_document_pkey PRIMARY KEY (store_id, product_id),
  CONSTRAINT product_document_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product_listing(store_id, product_id) ON DELETE CASCADE
);
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
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  sku text,
  menu_order integer NOT NULL,
  base_price bigint NOT NULL,
  price bigint NOT NULL,
  price_since timestamp with time zone NOT NULL,
  price_until timestamp with time zone NOT NULL,
  regular_price bigint NOT NULL,
  sale_price bigint NOT NULL,
  sale_starts_at timestamp with time zone,
  sale_ends_at timestamp with time zone,
  buyable boolean,
  terms text[] COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT product_listing_pkey PRIMARY KEY (store_id, product_id),
  CONSTRAINT product_listing_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id)
);
CREATE INDEX product_listing_store_id_base_price_idx ON product_listing USING btree (store_id, base_price, product_id) WHERE (status = 'active'::text);
CREATE INDEX product_listing_store_id_created_at_idx ON product_listing USING btree (store_id, created_at, product_id) WHERE (status = 'active'::text);
CREATE INDEX product_listing_store_id_menu_order_idx ON product_listing USING btree (store_id, menu_order, product_id) WHERE (status = 'active'::text);
CREATE INDEX product_listing_store_id_name_idx ON product_listing USING btree (store_id, name, product_id) WHERE (status = 'active'::text);
CREATE INDEX product_listing_store_id_price_idx ON product_listing USING btree (store_id, price, product_id) WHERE (status = 'active'::text);
CREATE INDEX product_listing_store_id_price_until_idx ON product_listing USING btree (store_id, price_until) WHERE (price_until < 'infinity'::timestamp with time zone);
CREATE INDEX product_listing_terms_idx ON product_listing USING gin (terms) WHERE (status = 'active'::text);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

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

CREATE TABLE product_stale (
  store_id text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  stock_only boolean NOT NULL,
  CONSTRAINT product_stale_pkey PRIMARY KEY (store_id, product_id, id)
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
  CONSTRAINT product_variant_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT product_variant_price_check CHECK (((price >= 0) AND ((sale_price IS NULL) OR ((sale_price >= 0) AND (sale_price <= price))))),
  CONSTRAINT product_variant_status_check CHECK ((status = ANY (ARRAY['active'::text, 'draft'::text]))),
  CONSTRAINT product_variant_store_id_product_id_attributes_key UNIQUE (store_id, product_id, attributes),
  CONSTRAINT product_variant_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product(store_id, id),
  CONSTRAINT product_variant_store_id_shipping_class_id_fkey FOREIGN KEY (store_id, shipping_class_id) REFERENCES shipping_class(store_id, id) NOT VALID
);
CREATE INDEX product_variant_store_id_product_id_idx ON product_variant USING btree (store_id, product_id, "position", id);
CREATE INDEX product_variant_store_id_shipping_class_id_idx ON product_variant USING btree (store_id, shipping_class_id) WHERE (shipping_class_id IS NOT NULL);
CREATE INDEX product_variant_store_id_sku_idx ON product_variant USING btree (store_id, sku);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE provider_event (
  store_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  notice jsonb NOT NULL,
  received_at timestamp with time zone NOT NULL,
  applied_at timestamp with time zone,
  check_at timestamp with time zone,
  checks integer NOT NULL DEFAULT 0,
  set_aside text,
  CONSTRAINT provider_event_pkey PRIMARY KEY (store_id, provider, event_id),
  CONSTRAINT provider_event_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX provider_event_store_id_check_at_idx ON provider_event USING btree (store_id, COALESCE(check_at, received_at)) WHERE (applied_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE provider_operation (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  checkout_id text COLLATE "C",
  attempt integer,
  charge_key text COLLATE "C",
  provider text NOT NULL,
  status text,
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
  kind text NOT NULL DEFAULT 'authorize'::text,
  subject_type text NOT NULL DEFAULT 'checkout'::text,
  subject_id text COLLATE "C" NOT NULL,
  charge_id text COLLATE "C",
  state text NOT NULL,
  CONSTRAINT provider_operation_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT provider_operation_amount_check CHECK (((amount >= 0) AND ((amount > 0) OR (kind = 'void'::text)) AND (captured >= 0) AND (refunded >= 0) AND (refunding >= 0) AND ((kind <> 'authorize'::text) OR ((refunded <= captured) AND (refunding <= captured) AND ((captured <= amount) OR (state = ANY (ARRAY['refund_due'::text, 'refunded'::text]))))))),
  CONSTRAINT provider_operation_charge_check CHECK ((((kind = 'authorize'::text) = (charge_key IS NOT NULL)) AND ((kind = 'authorize'::text) = (charge_id IS NULL)))),
  CONSTRAINT provider_operation_kind_check CHECK ((kind = ANY (ARRAY['authorize'::text, 'capture'::text, 'void'::text, 'refund'::text]))),
  CONSTRAINT provider_operation_state_check CHECK (((state = ANY (ARRAY['calling'::text, 'succeeded'::text, 'declined'::text, 'failed'::text, 'absent'::text, 'refund_due'::text, 'refunded'::text])) AND ((kind = 'authorize'::text) OR (state = ANY (ARRAY['calling'::text, 'succeeded'::text, 'failed'::text]))))),
  CONSTRAINT provider_operation_status_check CHECK ((status = ANY (ARRAY['calling'::text, 'ordered'::text, 'declined'::text, 'failed'::text, 'absent'::text, 'refund_due'::text, 'refunded'::text]))),
  CONSTRAINT provider_operation_store_id_charge_id_fkey FOREIGN KEY (store_id, charge_id) REFERENCES provider_operation(store_id, id),
  CONSTRAINT provider_operation_store_id_charge_key_key UNIQUE (store_id, charge_key),
  CONSTRAINT provider_operation_store_id_checkout_id_fkey FOREIGN KEY (store_id, checkout_id) REFERENCES checkout(store_id, id)
);
CREATE INDEX provider_operation_store_id_charge_id_idx ON provider_operation USING btree (store_id, charge_id) WHERE (charge_id IS NOT NULL);
CREATE INDEX provider_operation_store_id_check_at_idx ON provider_operation USING btree (store_id, check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX provider_operation_store_id_checkout_id_idx ON provider_operation USING btree (store_id, checkout_id, attempt);
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
  CONSTRAINT refund_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT refund_amount_check CHECK ((amount > 0)),
  CONSTRAINT refund_source_check CHECK ((source = ANY (ARRAY['service'::text, 'provider'::text]))),
  CONSTRAINT refund_store_id_order_id_fkey FOREIGN KEY (store_id, order_id) REFERENCES orders(store_id, id),
  CONSTRAINT refund_store_id_payment_id_fkey FOREIGN KEY (store_id, payment_id) REFERENCES payment(store_id, id),
  CONSTRAINT refund_type_check CHECK ((type = ANY (ARRAY['full'::text, 'partial'::text])))
);
CREATE INDEX refund_store_id_order_id_idx ON refund USING btree (store_id, order_id, created_at, id);
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
);
CREATE INDEX stock_store_id_product_id_idx ON stock USING btree (store_id, product_id);
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
  order_counter bigint NOT NULL DEFAULT 1000,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT store_pkey PRIMARY KEY (id),
  CONSTRAINT store_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
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
  done_keys text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT test_charge_pkey PRIMARY KEY (store_id, charge_key),
  CONSTRAINT test_charge_amount_check CHECK ((((captured >= 0) AND (captured <= amount)) AND ((refunded >= 0) AND (refunded <= captured)))),
  CONSTRAINT test_charge_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'pending'::text, 'captured'::text, 'declined'::text, 'failed'::text, 'voided'::text]))),
  CONSTRAINT test_charge_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX test_charge_store_id_checkout_id_idx ON test_charge USING btree (store_id, checkout_id, created_at);
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
);
CREATE INDEX webhook_delivery_due_idx ON webhook_delivery USING btree (store_id, subscription_id, due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_delivery_finished_idx ON webhook_delivery USING btree (store_id, subscription_id, created_at, id) WHERE (due_at IS NULL);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE TABLE webhook_parcel (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  events text[] COLLATE "C" NOT NULL,
  is_probe boolean NOT NULL,
  due_at timestamp with time zone NOT NULL,
  lease text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_parcel_pkey PRIMARY KEY (store_id, id)
);
CREATE INDEX webhook_parcel_due_idx ON webhook_parcel USING btree (store_id, subscription_id, due_at, id);
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
  CONSTRAINT webhook_subscription_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT webhook_subscription_failure_count_check CHECK ((failure_count >= 0)),
  CONSTRAINT webhook_subscription_probing_since_check CHECK (((probing_since IS NULL) OR (circuit_opened_at IS NOT NULL))),
  CONSTRAINT webhook_subscription_store_id_fkey FOREIGN KEY (store_id) REFERENCES store(id)
);
CREATE INDEX webhook_subscription_store_id_created_at_idx ON webhook_subscription USING btree (store_id, created_at, id);
ROW LEVEL SECURITY FORCED
POLICY tenant_delete FOR DELETE USING (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_insert FOR INSERT WITH CHECK (store_id = current_setting('app.store_id'::text, true))
POLICY tenant_read FOR SELECT USING true
POLICY tenant_update FOR UPDATE USING (store_id = current_setting('app.store_id'::text, true))

CREATE OR REPLACE FUNCTION public.catalog_version_of(store text, what text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(sum(v.version), 0)::bigint FROM catalog_version v WHERE v.store_id = store AND v.kind = what
$function$

CREATE OR REPLACE FUNCTION public.catalog_version_raised()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE store text;
BEGIN
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
  EXECUTE format('CREATE FUNCTION %s_noted() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, stock_only) SELECT DISTINCT c.store_id, c.%I, false FROM changed c;
      RETURN NULL;
    END
    $body$', name, product_column);
  EXECUTE format('CREATE TRIGGER %s_inserted_stale AFTER INSERT ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s_noted()', name, name, name);
  EXECUTE format('CREATE TRIGGER %s_updated_stale AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s_noted()', name, name, name);
  EXECUTE format('CREATE TRIGGER %s_deleted_stale AFTER DELETE ON %s REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s_noted()', name, name, name);
END
$function$

CREATE OR REPLACE FUNCTION public.kit_component_is_offered(c kit_component)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce((
    SELECT p.type <> 'KIT' AND (p.type = 'VARIABLE') = (c.variant_id IS NOT NULL) AND p.deleted_at IS NULL AND p.status = 'active'
      AND (c.variant_id IS NULL OR EXISTS (
        SELECT FROM product_variant v WHERE v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id AND v.status = 'active'))
    FROM product p WHERE p.store_id = c.store_id AND p.id = c.product_id), false)
$function$

CREATE OR REPLACE FUNCTION public.kit_component_noted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, stock_only) SELECT DISTINCT c.store_id, c.kit_id, false FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.kit_price_at(store text, kit text, at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT round(sum(c.quantity * CASE
      WHEN (p.sale_price_starts_at IS NULL OR p.sale_price_starts_at <= at) AND (p.sale_price_ends_at IS NULL OR p.sale_price_ends_at > at)
        THEN coalesce(CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END, v.price, p.base_price)
      ELSE coalesce(v.price, p.base_price) END) * (100 - coalesce(k.kit_discount_value, 0)) / 100)::bigint
  FROM product k
  JOIN kit_component c ON c.store_id = k.store_id AND c.kit_id = k.id
  JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id
  LEFT JOIN product_variant v ON v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id
  WHERE k.store_id = store AND k.id = kit AND k.kit_pricing_mode = 'COMPONENTS'
  GROUP BY k.kit_discount_value
$function$

CREATE OR REPLACE FUNCTION public.listing_buyable(store text, product text, product_type text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE product_type
    WHEN 'KIT' THEN NULL
    WHEN 'VARIABLE' THEN EXISTS (SELECT 1 FROM product_variant v JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
      WHERE v.store_id = store AND v.product_id = product AND v.status = 'active'
        AND stock_sells(s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, s.reserved))
    ELSE EXISTS (SELECT 1 FROM stock s WHERE s.store_id = store AND s.key = product
      AND stock_sells(s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, s.reserved))
  END
$function$

CREATE OR REPLACE FUNCTION public.listing_buyable_at(store text, product text, product_type text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE product_type
    WHEN 'KIT' THEN EXISTS (SELECT FROM kit_component c WHERE c.store_id = store AND c.kit_id = product) AND NOT EXISTS (
      SELECT FROM kit_component c WHERE c.store_id = store AND c.kit_id = product AND NOT (kit_component_is_offered(c) AND EXISTS (
        SELECT FROM stock s WHERE s.store_id = store AND s.key = coalesce(c.variant_id, c.product_id) AND stock_sells_units_at(s, c.quantity, at))))
    WHEN 'VARIABLE' THEN EXISTS (SELECT 1 FROM product_variant v JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
      WHERE v.store_id = store AND v.product_id = product AND v.status = 'active' AND stock_sells_at(s, at))
    ELSE EXISTS (SELECT 1 FROM stock s WHERE s.store_id = store AND s.key = product AND stock_sells_at(s, at))
  END
$function$

CREATE OR REPLACE FUNCTION public.order_item_stated_discount()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO order_adjustment (store_id, order_id, position, item_id, target, part, kind, source_id, amount)
  SELECT NEW.store_id, NEW.order_id, NEW.position, NEW.id, 'line', 'discount', 'manual_discount', 'discountAmount', NEW.discount
  WHERE NOT EXISTS (SELECT FROM order_adjustment a WHERE a.store_id = NEW.store_id AND a.order_id = NEW.order_id AND a.item_id = NEW.id);
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.product_brand_noted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, stock_only) SELECT DISTINCT c.store_id, c.product_id, false FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_category_noted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, stock_only) SELECT DISTINCT c.store_id, c.product_id, false FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_modifier_group_noted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, stock_only) SELECT DISTINCT c.store_id, c.product_id, false FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_noted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, stock_only) SELECT DISTINCT c.store_id, c.id, false FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_rating_noted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, stock_only) SELECT DISTINCT c.store_id, c.product_id, false FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.product_variant_noted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      INSERT INTO product_stale (store_id, product_id, stock_only) SELECT DISTINCT c.store_id, c.product_id, false FROM changed c;
      RETURN NULL;
    END
    $function$

CREATE OR REPLACE FUNCTION public.provider_operation_as_attempt()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.subject_id IS NULL THEN
    NEW.subject_id := NEW.checkout_id;
    NEW.state := NEW.status;
  ELSIF TG_OP = 'INSERT' THEN
    IF NEW.kind = 'authorize' AND NEW.subject_type = 'checkout' THEN
      NEW.checkout_id := NEW.subject_id;
      NEW.attempt := split_part(NEW.charge_key, ':', 3)::int;
      NEW.status := NEW.state;
    END IF;
  ELSIF NEW.status IS DISTINCT FROM OLD.status THEN
    NEW.state := CASE NEW.status WHEN 'ordered' THEN 'succeeded' ELSE NEW.status END;
  ELSIF NEW.status IS NOT NULL THEN
    NEW.status := CASE NEW.state WHEN 'succeeded' THEN 'ordered' ELSE NEW.state END;
  END IF;
  RETURN NEW;
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

CREATE OR REPLACE FUNCTION public.stock_flipped()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO product_stale (store_id, product_id, stock_only) VALUES (NEW.store_id, NEW.product_id, true);
  RETURN NULL;
END
$function$

CREATE OR REPLACE FUNCTION public.stock_sells(tracking_mode text, backorder_mode text, backorder_limit integer, total integer, reserved integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT tracking_mode <> 'DISABLED' AND (tracking_mode = 'UNTRACKED' OR backorder_mode = 'ALLOW'
    OR total - reserved + CASE backorder_mode WHEN 'LIMITED' THEN coalesce(backorder_limit, 0) ELSE 0 END > 0)
$function$

CREATE OR REPLACE FUNCTION public.stock_sells_at(s stock, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT stock_sells(s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, CASE WHEN s.reserved = 0 THEN 0 ELSE s.reserved - coalesce((
    SELECT sum(r.quantity)::int FROM reservation r WHERE r.store_id = s.store_id AND r.key = s.key AND r.expires_at <= at), 0) END)
$function$

CREATE OR REPLACE FUNCTION public.stock_sells_units_at(s stock, units integer, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT s.tracking_mode <> 'DISABLED' AND (s.tracking_mode = 'UNTRACKED' OR s.backorder_mode = 'ALLOW'
    OR s.total - s.reserved + CASE s.backorder_mode WHEN 'LIMITED' THEN coalesce(s.backorder_limit, 0) ELSE 0 END
      + CASE WHEN s.reserved = 0 THEN 0 ELSE coalesce((
        SELECT sum(r.quantity)::int FROM reservation r WHERE r.store_id = s.store_id AND r.key = s.key AND r.expires_at <= at), 0) END >= units)
$function$

CREATE OR REPLACE FUNCTION public.store_order_counter()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO order_counter AS c (store_id, last_number) VALUES (NEW.id, 1001)
  ON CONFLICT (store_id) DO UPDATE SET last_number = c.last_number + 1 RETURNING c.last_number INTO NEW.order_counter;
  RETURN NEW;
END
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

CREATE OR REPLACE FUNCTION public.vocabulary_table(name regclass)
 RETURNS void
 LANGUAGE sql
AS $function$ SELECT versioned_table(name, 'vocabulary') $function$

-- What a KIT is made of. A kit holds no stock: what can be sold of it follows from the stock of its components. A variant of a component may be deleted; the kit
-- cannot be bought then, until it names another one.
ALTER TABLE product ADD COLUMN kit_pricing_mode text, ADD COLUMN kit_discount_value numeric(5, 2);
ALTER TABLE product ADD CONSTRAINT product_kit_pricing_mode_check CHECK (kit_pricing_mode IN ('FIXED', 'COMPONENTS'));
ALTER TABLE product ADD CONSTRAINT product_kit_discount_value_check CHECK (kit_discount_value BETWEEN 0 AND 100);

CREATE TABLE kit_component (
  store_id text COLLATE "C" NOT NULL,
  kit_id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  quantity int NOT NULL,
  CONSTRAINT kit_component_pkey PRIMARY KEY (store_id, kit_id, position),
  CONSTRAINT kit_component_store_id_kit_id_fkey FOREIGN KEY (store_id, kit_id) REFERENCES product (store_id, id),
  CONSTRAINT kit_component_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT kit_component_quantity_check CHECK (quantity BETWEEN 1 AND 1000),
  CONSTRAINT kit_component_product_id_check CHECK (product_id <> kit_id)
);
-- The kits that a product is a component of.
CREATE INDEX kit_component_store_id_product_id_idx ON kit_component (store_id, product_id);
SELECT tenant_table('kit_component');

-- What one unit of a sold kit was made of, as [{productId, variantId, quantity}]; NULL for everything that is not a kit.
ALTER TABLE order_item ADD COLUMN kit_components jsonb;

SELECT composed_table('kit_component', 'kit_id');

-- The components of a kit with whether shoppers can see them, as they are named: catalog/KitParts says the same.
CREATE FUNCTION kit_component_is_offered(c kit_component) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT p.type <> 'KIT' AND (p.type = 'VARIABLE') = (c.variant_id IS NOT NULL) AND p.deleted_at IS NULL AND p.status = 'active'
      AND (c.variant_id IS NULL OR EXISTS (
        SELECT FROM product_variant v WHERE v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id AND v.status = 'active'))
    FROM product p WHERE p.store_id = c.store_id AND p.id = c.product_id), false)
$$;

-- Whether a row of stock has so many units to sell at `at`: kernel/Availability says the same.
CREATE FUNCTION stock_sells_units_at(s stock, units int, at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT s.tracking_mode <> 'DISABLED' AND (s.tracking_mode = 'UNTRACKED' OR s.backorder_mode = 'ALLOW'
    OR s.total - s.reserved + CASE s.backorder_mode WHEN 'LIMITED' THEN coalesce(s.backorder_limit, 0) ELSE 0 END
      + CASE WHEN s.reserved = 0 THEN 0 ELSE coalesce((
        SELECT sum(r.quantity)::int FROM reservation r WHERE r.store_id = s.store_id AND r.key = s.key AND r.expires_at <= at), 0) END >= units)
$$;

CREATE OR REPLACE FUNCTION listing_buyable_at(store text, product text, product_type text, at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE product_type
    WHEN 'KIT' THEN EXISTS (SELECT FROM kit_component c WHERE c.store_id = store AND c.kit_id = product) AND NOT EXISTS (
      SELECT FROM kit_component c WHERE c.store_id = store AND c.kit_id = product AND NOT (kit_component_is_offered(c) AND EXISTS (
        SELECT FROM stock s WHERE s.store_id = store AND s.key = coalesce(c.variant_id, c.product_id) AND stock_sells_units_at(s, c.quantity, at))))
    WHEN 'VARIABLE' THEN EXISTS (SELECT 1 FROM product_variant v JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
      WHERE v.store_id = store AND v.product_id = product AND v.status = 'active' AND stock_sells_at(s, at))
    ELSE EXISTS (SELECT 1 FROM stock s WHERE s.store_id = store AND s.key = product AND stock_sells_at(s, at))
  END
$$;

-- What a kit costs at `at` that its components price, rounded half up; NULL of any other product. catalog/KitPrice says the same.
CREATE FUNCTION kit_price_at(store text, kit text, at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
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
$$;

-- When that changes next after `at`; infinity where no sale of a component begins or ends any more.
CREATE FUNCTION kit_price_until(store text, kit text, at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(min(t.moment), 'infinity')
  FROM kit_component c
  JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id
  LEFT JOIN product_variant v ON v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id
  CROSS JOIN LATERAL (VALUES (p.sale_price_starts_at), (p.sale_price_ends_at)) AS t (moment)
  WHERE c.store_id = store AND c.kit_id = kit AND t.moment > at AND CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END IS NOT NULL
$$;

-- What shoppers wait for on a channel, and since when it can be bought again; `key` is the variant's id, or the product's where any of it will do.
CREATE TABLE stock_watch (
  store_id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  available_since timestamptz,
  CONSTRAINT stock_watch_pkey PRIMARY KEY (store_id, sales_channel_id, key),
  CONSTRAINT stock_watch_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id)
);
-- Who waits for it. A row is deleted in the transaction that makes its mail, so that a mail is made once.
CREATE TABLE stock_alert (
  store_id text COLLATE "C" NOT NULL,
  sales_channel_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  email text NOT NULL,
  locale text,
  created_at timestamptz NOT NULL,
  CONSTRAINT stock_alert_pkey PRIMARY KEY (store_id, sales_channel_id, key, email),
  CONSTRAINT stock_alert_store_id_sales_channel_id_key_fkey FOREIGN KEY (store_id, sales_channel_id, key) REFERENCES stock_watch (store_id, sales_channel_id, key)
);
CREATE INDEX stock_alert_store_id_email_idx ON stock_alert (store_id, email);
CREATE INDEX stock_alert_store_id_created_at_idx ON stock_alert (store_id, created_at);
SELECT tenant_table(t::regclass) FROM unnest(ARRAY['stock_watch', 'stock_alert']) AS t;

-- Whether a shopper of the channel can buy what is watched.
CREATE FUNCTION stock_watch_is_available(w stock_watch, at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT p.status = 'active' AND p.deleted_at IS NULL AND CASE WHEN w.variant_id IS NULL THEN listing_buyable_at(w.store_id, w.product_id, p.type, at)
      ELSE p.type = 'VARIABLE' AND EXISTS (SELECT FROM product_variant v JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
        WHERE v.store_id = w.store_id AND v.id = w.variant_id AND v.product_id = p.id AND v.status = 'active' AND stock_sells_at(s, at)) END
    FROM product p WHERE p.store_id = w.store_id AND p.id = w.product_id), false)
$$;

-- Stock that falls to its threshold is told of once, whoever sells, holds or sets it; above the threshold it may fall again. The event is one of the house alone.
CREATE FUNCTION stock_fell_low() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;
CREATE TRIGGER stock_fell_low AFTER UPDATE ON stock FOR EACH ROW
  WHEN (NEW.tracking_mode = 'TRACKED' AND NEW.total - NEW.reserved <= NEW.low_stock_threshold AND OLD.total - OLD.reserved > NEW.low_stock_threshold)
  EXECUTE FUNCTION stock_fell_low();

-- One row per thing that is counted: the product, or each variant of a VARIABLE product. `key` = variant id, or product id.
-- available = total - reserved. Every change of `total` has a stock_movement; `reserved` = sum of open reservations.
CREATE TABLE stock (
  store_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  tracking_mode text NOT NULL DEFAULT 'TRACKED',
  backorder_mode text NOT NULL DEFAULT 'DENY',
  backorder_limit int,
  total int NOT NULL DEFAULT 0,
  reserved int NOT NULL DEFAULT 0,
  low_stock_threshold int,
  last_inventory_sync_at timestamptz,
  updated_at timestamptz NOT NULL,
  CONSTRAINT stock_pkey PRIMARY KEY (store_id, key),
  CONSTRAINT stock_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id),
  CONSTRAINT stock_store_id_variant_id_fkey FOREIGN KEY (store_id, variant_id) REFERENCES product_variant (store_id, id) ON DELETE CASCADE,
  CONSTRAINT stock_available_check CHECK ( tracking_mode <> 'TRACKED' OR backorder_mode = 'ALLOW' OR total - reserved >= -(CASE backorder_mode WHEN 'LIMITED' THEN coalesce(backorder_limit, 0) ELSE 0 END) ),
  CONSTRAINT stock_backorder_mode_check CHECK (backorder_mode IN ('DENY', 'ALLOW', 'LIMITED')),
  CONSTRAINT stock_reserved_check CHECK (reserved >= 0),
  CONSTRAINT stock_tracking_mode_check CHECK (tracking_mode IN ('TRACKED', 'UNTRACKED', 'DISABLED'))
) WITH (fillfactor = 80);
CREATE INDEX stock_store_id_product_id_idx ON stock (store_id, product_id);
SELECT tenant_table('stock');

CREATE TABLE stock_movement (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  variant_id text COLLATE "C",
  delta int NOT NULL,
  reason text NOT NULL,
  reference text,
  created_at timestamptz NOT NULL,
  CONSTRAINT stock_movement_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT stock_movement_store_id_product_id_fkey FOREIGN KEY (store_id, product_id) REFERENCES product (store_id, id)
);
CREATE INDEX stock_movement_store_id_key_idx ON stock_movement (store_id, key, created_at DESC, id DESC);
SELECT tenant_table('stock_movement');

-- Units held for a cart line or a checkout until `expires_at`. The row goes when they are sold or given back.
CREATE TABLE reservation (
  store_id text COLLATE "C" NOT NULL,
  holder_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  quantity int NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT reservation_pkey PRIMARY KEY (store_id, holder_id, key),
  CONSTRAINT reservation_store_id_key_fkey FOREIGN KEY (store_id, key) REFERENCES stock (store_id, key) ON DELETE CASCADE,
  CONSTRAINT reservation_quantity_check CHECK (quantity > 0)
);
CREATE INDEX reservation_store_id_expires_at_idx ON reservation (store_id, expires_at);
-- Carts, checkouts and shelves leave out what is held past its time: the units of one row that have run out are found without reading those still held.
CREATE INDEX reservation_store_id_key_expires_at_idx ON reservation (store_id, key, expires_at);
SELECT tenant_table('reservation');

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
-- A row of stock that begins or ceases to have something to sell notes its product, and says so to those who wait for it, for any variant of its product, or for
-- a kit that it is in: what was sold out within the five minutes has not stayed available, however soon it came back.
CREATE INDEX stock_watch_store_id_key_idx ON stock_watch (store_id, key);
SELECT tenant_table('stock_watch');

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
CREATE INDEX stock_alert_store_id_created_at_idx ON stock_alert (store_id, created_at);
CREATE INDEX stock_alert_store_id_email_idx ON stock_alert (store_id, email);
SELECT tenant_table('stock_alert');

-- Units that may be sold below zero; NULL is any number.
CREATE FUNCTION stock_backorders(backorder_mode text, backorder_limit int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE backorder_mode WHEN 'ALLOW' THEN NULL WHEN 'LIMITED' THEN coalesce(backorder_limit, 0) ELSE 0 END
$$;

-- Whether a row of stock has `units` to sell, of which `free` are neither sold nor reserved. kernel/Availability says the same.
CREATE FUNCTION stock_sells(tracking_mode text, backorder_mode text, backorder_limit int, free int, units int)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT tracking_mode <> 'DISABLED' AND (tracking_mode = 'UNTRACKED' OR stock_backorders(backorder_mode, backorder_limit) IS NULL
    OR free + stock_backorders(backorder_mode, backorder_limit) >= units)
$$;

-- Units of a row of stock that are reserved at `at`: reservations that have expired do not count, before the worker has given them back.
-- reservation_store_id_key_expires_at_idx finds them, and is asked only where something is reserved. It returns a set of one row, because PostgreSQL
-- makes such a function part of the statement that calls it in FROM, and would plan any other one in each statement.
CREATE FUNCTION stock_reserved_at(store text, stock_key text, reserved int, at timestamptz) RETURNS SETOF int LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT CASE WHEN reserved = 0 THEN 0 ELSE reserved - coalesce((SELECT sum(r.quantity)::int FROM reservation r
    WHERE r.store_id = store AND r.key = stock_key AND r.expires_at <= at), 0) END
$$;

-- `stock_sells` of a row of stock as it is at `at`.
CREATE FUNCTION stock_sells_at(s stock, units int, at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT stock_sells(s.tracking_mode, s.backorder_mode, s.backorder_limit,
    s.total - (SELECT * FROM stock_reserved_at(s.store_id, s.key, s.reserved, at)), units)
$$;

-- What a kit is made of, as JSON: what sells and ships each component, with its stock at `at`; `named` adds what a product shows of it. It is a function of its own, whose
-- plan is begun for kits alone: as a part of the statements that read lines it made each of them begin it.
CREATE FUNCTION kit_parts(store text, kit text, at timestamptz, named boolean) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((
    SELECT json_agg(jsonb_build_object('productId', c.product_id, 'variantId', c.variant_id, 'quantity', c.quantity,
      'isOffered', kit_component_is_offered(c.variant_id, p.type, p.status, p.deleted_at, v.status),
      'isThere', kit_component_fits(c.variant_id, p.type, p.deleted_at) AND (c.variant_id IS NULL OR v.id IS NOT NULL),
      'price', coalesce(v.price, p.base_price)::text, 'salePrice', (CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END)::text,
      'saleStartsAt', round(extract(epoch FROM p.sale_price_starts_at) * 1000), 'saleEndsAt', round(extract(epoch FROM p.sale_price_ends_at) * 1000),
      'weight', p.shipping_weight_value::text, 'weightUnit', p.shipping_weight_unit, 'isDownloadable', coalesce(v.is_downloadable, p.is_downloadable),
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
$$;

-- Appends one low-stock event when a sale, a reservation or a change of stock takes it to its threshold or below. Stock that
-- has risen above the threshold may fall again. The event is internal: webhooks do not carry it.
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

SELECT pin_function('stock_fell_low');
CREATE TRIGGER stock_fell_low AFTER UPDATE ON stock FOR EACH ROW
  WHEN (NEW.tracking_mode = 'TRACKED' AND NEW.total - NEW.reserved <= NEW.low_stock_threshold AND OLD.total - OLD.reserved > NEW.low_stock_threshold)
  EXECUTE FUNCTION stock_fell_low();

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

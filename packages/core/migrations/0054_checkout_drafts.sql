-- The checkout of a draft order: its lines have the prices of the draft, and may have a name of their own in place of a product. `draft_terms` is what the draft states:
-- { customerId, discountAmount, shippingAmount, taxAmount }, amounts as minor units in text.
ALTER TABLE checkout ADD COLUMN draft_id text COLLATE "C";
ALTER TABLE checkout ADD COLUMN draft_terms jsonb;
ALTER TABLE checkout ADD CONSTRAINT checkout_store_id_draft_id_fkey FOREIGN KEY (store_id, draft_id) REFERENCES draft_order (store_id, id);
ALTER TABLE checkout ADD CONSTRAINT checkout_draft_terms_check CHECK ((draft_id IS NULL) = (draft_terms IS NULL));
CREATE INDEX checkout_store_id_draft_id_idx ON checkout (store_id, draft_id) WHERE draft_id IS NOT NULL;
ALTER TABLE checkout_line ALTER COLUMN product_id DROP NOT NULL;
ALTER TABLE checkout_line ADD COLUMN name text;
ALTER TABLE checkout_line ADD CONSTRAINT checkout_line_name_check CHECK (product_id IS NOT NULL OR name IS NOT NULL);

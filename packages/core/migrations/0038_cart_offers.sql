-- A line that was taken from an offer costs what the offer says of it. The lines of one bundle share a `bundle_item_id`. No foreign key: of an offer that was deleted the
-- lines stay, at their own prices.
ALTER TABLE cart_item ADD COLUMN offer_id text COLLATE "C", ADD COLUMN bundle_item_id text COLLATE "C",
  ADD CONSTRAINT cart_item_bundle_item_id_check CHECK (bundle_item_id IS NULL OR offer_id IS NOT NULL);
ALTER TABLE checkout_line ADD COLUMN offer_id text COLLATE "C", ADD COLUMN bundle_item_id text COLLATE "C",
  ADD CONSTRAINT checkout_line_bundle_item_id_check CHECK (bundle_item_id IS NULL OR offer_id IS NOT NULL);

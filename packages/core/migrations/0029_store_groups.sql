-- Whether a rule or a coupon of the store names categories, brands or tags: only then is it read which of them a product has.
ALTER TABLE store ADD COLUMN discounts_groups boolean NOT NULL DEFAULT false;

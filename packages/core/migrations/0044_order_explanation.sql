-- Where the amounts of an order come from, as it was explained when it was placed: { version, explanation }. Null for an order from before.
ALTER TABLE orders ADD COLUMN explanation jsonb;

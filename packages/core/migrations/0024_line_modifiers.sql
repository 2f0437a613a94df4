-- What a shopper chose of a line goes with it into the order. In a transaction of its own: a sale of the release before reads its lines and then counts its
-- order in the store's row, so that whoever held that table while waiting for these two would wait for each other.
ALTER TABLE checkout_line ADD COLUMN modifiers jsonb NOT NULL DEFAULT '[]';
ALTER TABLE order_item ADD COLUMN modifiers jsonb NOT NULL DEFAULT '[]';

-- Of the checkouts of a cart those that are open, being paid for or bought are looked for, however many were cancelled.
DROP INDEX checkout_store_id_cart_id_idx;
CREATE INDEX checkout_store_id_cart_id_idx ON checkout (store_id, cart_id, status);
-- The keys of an account and of a store that have not been revoked: to be listed and counted, however many were.
CREATE INDEX api_key_account_id_live_idx ON api_key (account_id, store_id) WHERE revoked_at IS NULL;

-- A hash of the Idempotency-Key and body of the request that cancelled the order: sent again after a crash it finds what it has done.
ALTER TABLE cancellation ADD COLUMN request_key text COLLATE "C";

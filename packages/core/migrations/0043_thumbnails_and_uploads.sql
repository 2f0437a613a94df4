-- A thumbnail may come after its file: `thumbnail_due` is when it is tried next, NULL where there is nothing to do; `thumbnail_tries` counts the tries of the worker.
-- `unclaimed`: sent by a shopper, and nothing has named it yet; it is counted apart from what the merchant keeps. Files from before are counted with the merchant's.
-- `owner_id`: the customer who sent a photo for a review, until a review has it.
ALTER TABLE media_file
  ADD COLUMN thumbnail_due timestamptz,
  ADD COLUMN thumbnail_tries smallint NOT NULL DEFAULT 0,
  ADD COLUMN unclaimed boolean NOT NULL DEFAULT false,
  ADD COLUMN owner_id text COLLATE "C";
CREATE INDEX media_file_store_id_thumbnail_due_idx ON media_file (store_id, thumbnail_due) WHERE thumbnail_due IS NOT NULL;

-- `used_bytes` is what the merchant keeps, `unclaimed_bytes` what shoppers have sent and nothing names. A `limit_bytes` of NULL is the default.
ALTER TABLE media_storage
  ADD COLUMN unclaimed_bytes bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT media_storage_unclaimed_bytes_check CHECK (unclaimed_bytes >= 0);

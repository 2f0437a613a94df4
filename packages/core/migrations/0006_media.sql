-- What a store keeps in the object storage: how many bytes, and how many it may. No row is nothing, without a limit.
CREATE TABLE media_storage (
  store_id text COLLATE "C" NOT NULL,
  used_bytes bigint NOT NULL DEFAULT 0,
  limit_bytes bigint,
  -- `used_bytes` is what the merchant keeps, `unclaimed_bytes` what shoppers have sent and nothing names. A `limit_bytes` of NULL is the default.
  unclaimed_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT media_storage_pkey PRIMARY KEY (store_id),
  CONSTRAINT media_storage_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT media_storage_limit_bytes_check CHECK (limit_bytes >= 0),
  CONSTRAINT media_storage_unclaimed_bytes_check CHECK (unclaimed_bytes >= 0),
  CONSTRAINT media_storage_used_bytes_check CHECK (used_bytes >= 0)
);
SELECT tenant_table('media_storage');

-- An image in the object storage. The row is written before its bytes are stored, not yet `ready` and with a time at
-- which it is swept: bytes without a row never exist. `purge_at` is null while nothing is to be swept.
CREATE TABLE media_file (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  purpose text NOT NULL,
  key text COLLATE "C" NOT NULL,
  thumbnail_key text COLLATE "C",
  mime_type text NOT NULL,
  size int NOT NULL,
  stored_bytes int NOT NULL,
  width int NOT NULL,
  height int NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  thumbnail_hash text COLLATE "C",
  thumbnail_size int,
  name text NOT NULL,
  alt text,
  ready boolean NOT NULL DEFAULT false,
  purge_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  -- What shoppers upload for a customization is kept as long as a row needs that names it. `review_at` is when that is asked next; NULL where an order does, or
  -- somebody keeps it for good.
  review_at timestamptz DEFAULT now(),
  -- A thumbnail may come after its file: `thumbnail_due` is when it is tried next, NULL where there is nothing to do; `thumbnail_tries` counts the tries of the worker.
  -- `unclaimed`: sent by a shopper, and nothing has named it yet; it is counted apart from what the merchant keeps. Files from before are counted with the merchant's.
  -- `owner_id`: the customer who sent a photo for a review, until a review has it.
  thumbnail_due timestamptz,
  -- A thumbnail may come after its file: `thumbnail_due` is when it is tried next, NULL where there is nothing to do; `thumbnail_tries` counts the tries of the worker.
  -- `unclaimed`: sent by a shopper, and nothing has named it yet; it is counted apart from what the merchant keeps. Files from before are counted with the merchant's.
  -- `owner_id`: the customer who sent a photo for a review, until a review has it.
  thumbnail_tries smallint NOT NULL DEFAULT 0,
  -- A thumbnail may come after its file: `thumbnail_due` is when it is tried next, NULL where there is nothing to do; `thumbnail_tries` counts the tries of the worker.
  -- `unclaimed`: sent by a shopper, and nothing has named it yet; it is counted apart from what the merchant keeps. Files from before are counted with the merchant's.
  -- `owner_id`: the customer who sent a photo for a review, until a review has it.
  unclaimed boolean NOT NULL DEFAULT false,
  -- A thumbnail may come after its file: `thumbnail_due` is when it is tried next, NULL where there is nothing to do; `thumbnail_tries` counts the tries of the worker.
  -- `unclaimed`: sent by a shopper, and nothing has named it yet; it is counted apart from what the merchant keeps. Files from before are counted with the merchant's.
  -- `owner_id`: the customer who sent a photo for a review, until a review has it.
  owner_id text COLLATE "C",
  CONSTRAINT media_file_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT media_file_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT media_file_purpose_check CHECK (purpose IN ('library', 'customization', 'review_photo')),
  CONSTRAINT media_file_thumbnail_check CHECK ( (thumbnail_key IS NULL) = (thumbnail_hash IS NULL) AND (thumbnail_key IS NULL) = (thumbnail_size IS NULL) )
);
CREATE INDEX media_file_store_id_created_at_id_idx ON media_file (store_id, created_at DESC, id DESC) WHERE purpose = 'library' AND ready AND deleted_at IS NULL;
CREATE INDEX media_file_store_id_purge_at_idx ON media_file (store_id, purge_at) WHERE purge_at IS NOT NULL;
CREATE INDEX media_file_store_id_review_at_idx ON media_file (store_id, review_at) WHERE purpose = 'customization' AND purge_at IS NULL AND review_at IS NOT NULL;
CREATE INDEX media_file_store_id_thumbnail_due_idx ON media_file (store_id, thumbnail_due) WHERE thumbnail_due IS NOT NULL;
SELECT tenant_table('media_file');

-- Ids of the files that a JSON text names, by their keys or by addresses that end with one (media/MediaFile.ts).
CREATE FUNCTION media_ids(named jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT 'media_' || m[1]), '{}') FROM regexp_matches(named::text, '[0-9a-f]{32}-([0-9a-z]{26})', 'g') AS m
$$;

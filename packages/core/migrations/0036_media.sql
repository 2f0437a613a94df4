-- What a store keeps in the object storage: how many bytes, and how many it may. No row is nothing, without a limit.
CREATE TABLE media_storage (
  store_id text COLLATE "C" NOT NULL,
  used_bytes bigint NOT NULL DEFAULT 0,
  limit_bytes bigint,
  CONSTRAINT media_storage_pkey PRIMARY KEY (store_id),
  CONSTRAINT media_storage_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT media_storage_used_bytes_check CHECK (used_bytes >= 0),
  CONSTRAINT media_storage_limit_bytes_check CHECK (limit_bytes >= 0)
);

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
  CONSTRAINT media_file_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT media_file_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT media_file_purpose_check CHECK (purpose IN ('library', 'customization', 'review_photo')),
  CONSTRAINT media_file_thumbnail_check CHECK (
    (thumbnail_key IS NULL) = (thumbnail_hash IS NULL) AND (thumbnail_key IS NULL) = (thumbnail_size IS NULL)
  )
);
CREATE INDEX media_file_store_id_created_at_id_idx ON media_file (store_id, created_at DESC, id DESC)
  WHERE purpose = 'library' AND ready AND deleted_at IS NULL;
CREATE INDEX media_file_store_id_purge_at_idx ON media_file (store_id, purge_at) WHERE purge_at IS NOT NULL;

SELECT tenant_table(t::regclass) FROM unnest(ARRAY['media_storage', 'media_file']) AS t;

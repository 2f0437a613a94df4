-- A job that writes what a store has to a file. It is worked on under a lease, part by part; `after` is the key of the last row that is written.
CREATE TABLE export_job (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  resource text NOT NULL,
  format text NOT NULL,
  filters jsonb NOT NULL,
  status text NOT NULL,
  reason text,
  rows bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  parts int NOT NULL DEFAULT 0,
  after text COLLATE "C",
  tries int NOT NULL DEFAULT 0,
  lease text COLLATE "C",
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz,
  files_removed boolean NOT NULL DEFAULT false,
  CONSTRAINT export_job_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT export_job_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT export_job_resource_check CHECK (resource IN ('orders', 'customers', 'products', 'inventory')),
  CONSTRAINT export_job_format_check CHECK (format IN ('csv', 'ndjson')),
  CONSTRAINT export_job_status_check CHECK (status IN ('QUEUED', 'RUNNING', 'DONE', 'FAILED')),
  -- What is open is due, now or when its lease ends; what has ended has no lease, and a time when its files go.
  CONSTRAINT export_job_due_at_check CHECK ((status IN ('QUEUED', 'RUNNING')) = (due_at IS NOT NULL)),
  CONSTRAINT export_job_lease_check CHECK (lease IS NULL OR status = 'RUNNING'),
  CONSTRAINT export_job_expires_at_check CHECK ((status IN ('DONE', 'FAILED')) = (expires_at IS NOT NULL)),
  CONSTRAINT export_job_reason_check CHECK ((status = 'FAILED') = (reason IS NOT NULL))
);
CREATE INDEX export_job_store_id_due_at_idx ON export_job (store_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX export_job_store_id_expires_at_idx ON export_job (store_id, expires_at) WHERE expires_at IS NOT NULL AND NOT files_removed;
SELECT tenant_table('export_job');

-- The parts of an export's file, in order: objects of the object storage. A row is written before its object, and is ready after it: what a crash has left is removed.
CREATE TABLE export_part (
  store_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  export_id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  rows int NOT NULL,
  bytes bigint NOT NULL,
  ready boolean NOT NULL DEFAULT false,
  CONSTRAINT export_part_pkey PRIMARY KEY (store_id, key),
  CONSTRAINT export_part_store_id_export_id_fkey FOREIGN KEY (store_id, export_id) REFERENCES export_job (store_id, id)
);
CREATE UNIQUE INDEX export_part_store_id_export_id_position_key ON export_part (store_id, export_id, position) WHERE ready;
CREATE INDEX export_part_store_id_export_id_idx ON export_part (store_id, export_id);
SELECT tenant_table('export_part');

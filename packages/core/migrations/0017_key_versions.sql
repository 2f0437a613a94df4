-- A key has a version like other resources: when it was made, or last given an end.
ALTER TABLE api_key ADD COLUMN updated_at timestamptz;
UPDATE api_key SET updated_at = coalesce(revoked_at, created_at);
ALTER TABLE api_key ALTER COLUMN updated_at SET DEFAULT now(), ALTER COLUMN updated_at SET NOT NULL;

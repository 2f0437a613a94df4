-- When a key was last sent, to the minute: processes gather the uses and write them together.
ALTER TABLE api_key ADD COLUMN last_used_at timestamptz;

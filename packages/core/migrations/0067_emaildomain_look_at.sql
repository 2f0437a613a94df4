-- When a domain is looked at next. It is set before each look, so that name servers that do not answer are not asked again and again.
ALTER TABLE email_domain ADD COLUMN look_at timestamptz NOT NULL DEFAULT 'epoch';
UPDATE email_domain SET look_at = last_checked_at + interval '1 day' WHERE last_checked_at IS NOT NULL;
DROP INDEX email_domain_store_id_last_checked_at_idx;
CREATE INDEX email_domain_store_id_look_at_idx ON email_domain (store_id, look_at) WHERE status <> 'PENDING';

-- Which mails of a store leave first, how often an address is written to, and until when a mail is of use.
--
-- `priority`: 0 for mails with a token, 1 for confirmations of orders, 2 for the rest. `counted_at` is when a mail counts against its address: its first
-- attempt, or, of a mail that waits because its address has had as many as it may, when it may leave. `expires_at`: when the link in it ends.
ALTER TABLE email_message
  ADD COLUMN priority smallint NOT NULL DEFAULT 2,
  ADD COLUMN counted_at timestamptz,
  ADD COLUMN expires_at timestamptz,
  ADD CONSTRAINT email_message_priority_check CHECK (priority BETWEEN 0 AND 2);

DROP INDEX email_message_store_id_seq_fresh_idx;
DROP INDEX email_message_store_id_due_at_again_idx;
-- Never looked at; waiting for their address; to be tried again.
CREATE INDEX email_message_store_id_priority_seq_fresh_idx ON email_message (store_id, priority, seq)
  WHERE status = 'QUEUED' AND attempts = 0 AND counted_at IS NULL;
CREATE INDEX email_message_store_id_priority_due_at_held_idx ON email_message (store_id, priority, due_at, seq)
  WHERE status = 'QUEUED' AND attempts = 0 AND counted_at IS NOT NULL;
CREATE INDEX email_message_store_id_priority_due_at_again_idx ON email_message (store_id, priority, due_at, seq) WHERE status = 'QUEUED' AND attempts > 0;
CREATE INDEX email_message_store_id_to_address_counted_at_idx ON email_message (store_id, to_address, counted_at);

-- Mails that somebody sends by hand have no event. Those of a day are counted, and the marketing mails among them.
DROP INDEX email_message_store_id_created_at_campaign_idx;
CREATE INDEX email_message_store_id_created_at_by_hand_idx ON email_message (store_id, created_at) INCLUDE (event_type) WHERE event_id IS NULL;

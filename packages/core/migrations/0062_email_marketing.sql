-- The domain that mails come from, and what holds marketing mails back.
ALTER TABLE email_settings
  ADD COLUMN custom_domain_id text COLLATE "C",
  ADD COLUMN daily_campaign_send_limit int,
  ADD COLUMN marketing_sending_paused boolean NOT NULL DEFAULT false,
  ADD COLUMN marketing_pause_reason text,
  ADD COLUMN marketing_paused_at timestamptz,
  ADD CONSTRAINT email_settings_custom_domain_id_fkey FOREIGN KEY (store_id, custom_domain_id) REFERENCES email_domain (store_id, id),
  ADD CONSTRAINT email_settings_daily_campaign_send_limit_check CHECK (daily_campaign_send_limit >= 0),
  ADD CONSTRAINT email_settings_marketing_paused_at_check CHECK (marketing_sending_paused = (marketing_paused_at IS NOT NULL));

-- `priority`: 0 for mails with a token, 1 for mails to buyers about an order, 2 for the rest, 3 for mails to the people of the store.
ALTER TABLE email_message DROP CONSTRAINT email_message_priority_check;
ALTER TABLE email_message ADD CONSTRAINT email_message_priority_check CHECK (priority BETWEEN 0 AND 3);
-- `unsubscribe_url` is the address of the header List-Unsubscribe; null where a mail has none.
ALTER TABLE email_message ADD COLUMN unsubscribe_url text;
-- The marketing mails of a day are counted.
CREATE INDEX email_message_store_id_created_at_campaign_idx ON email_message (store_id, created_at) WHERE event_type = 'MARKETING_CAMPAIGN';

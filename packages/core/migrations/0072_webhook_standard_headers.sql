-- Whether deliveries of a subscription also carry the headers of Standard Webhooks.
ALTER TABLE webhook_subscription ADD COLUMN standard_headers boolean NOT NULL DEFAULT false;

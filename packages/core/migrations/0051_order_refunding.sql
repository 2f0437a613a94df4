-- What is under way of refunds, until when money is reserved, and where a payment is refunded by hand.
ALTER TABLE payment ADD COLUMN refunding bigint NOT NULL DEFAULT 0;
ALTER TABLE payment ADD COLUMN expires_at timestamptz;
ALTER TABLE payment ADD COLUMN manual_refund_url text;
ALTER TABLE payment ADD CONSTRAINT payment_refunding_check CHECK (refunding >= 0);

-- Rows of all stores are changed: the policies hold for the owner of a table only while they are forced.
ALTER TABLE payment NO FORCE ROW LEVEL SECURITY;
ALTER TABLE refund NO FORCE ROW LEVEL SECURITY;
UPDATE payment p SET refunding = r.amount FROM (
  SELECT store_id, payment_id, sum(amount) AS amount FROM refund WHERE status = 'pending' GROUP BY 1, 2) r
WHERE r.store_id = p.store_id AND r.payment_id = p.id;
ALTER TABLE refund FORCE ROW LEVEL SECURITY;
ALTER TABLE payment FORCE ROW LEVEL SECURITY;

-- Of a refund of ours: the request that it is a part of, what its provider was asked for in the charge's currency, and who asked.
ALTER TABLE refund ADD COLUMN request_id text COLLATE "C";
ALTER TABLE refund ADD COLUMN asked bigint;
ALTER TABLE refund ADD COLUMN actor jsonb;

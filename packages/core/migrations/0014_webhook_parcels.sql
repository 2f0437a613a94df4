-- New deliveries of a subscription travel in parcels: one row for up to 32 events, which stands for their deliveries until each has a row of its own in
-- webhook_delivery, written when its first attempt has ended. The id of a delivery is its parcel's and its place in it. `due_at` and `lease` mean what they
-- mean there. A parcel is gone when all of its deliveries have rows.
-- No foreign keys, as in webhook_delivery.
CREATE TABLE webhook_parcel (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  events text[] COLLATE "C" NOT NULL,
  is_probe boolean NOT NULL,
  due_at timestamptz NOT NULL,
  lease text,
  created_at timestamptz NOT NULL,
  CONSTRAINT webhook_parcel_pkey PRIMARY KEY (store_id, id)
);
CREATE INDEX webhook_parcel_due_idx ON webhook_parcel (store_id, subscription_id, due_at, id);

SELECT tenant_table('webhook_parcel');

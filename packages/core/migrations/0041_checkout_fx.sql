-- How a checkout is presented, since it was created or its region changed:
-- { regionId, currency, rate, bufferPercent, rounding }. Null for checkouts of before.
ALTER TABLE checkout ADD COLUMN presented_in jsonb;

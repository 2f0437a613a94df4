-- Where a payment provider is asked in another currency than the order's: at which rate, for how much, and what it has
-- captured and refunded: { paymentId, currency, rate, bufferPercent, rounding, due, amount, captured, refunded }.
-- Amounts are text, in minor units; `due` is in the order's currency, the others are in the presented one.
ALTER TABLE orders ADD COLUMN presentment jsonb;

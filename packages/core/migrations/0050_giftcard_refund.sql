-- What refunds give back to a card: any number of entries for an order.
ALTER TABLE gift_card_transaction DROP CONSTRAINT gift_card_transaction_type_check;
ALTER TABLE gift_card_transaction ADD CONSTRAINT gift_card_transaction_type_check
  CHECK (type IN ('ISSUE', 'ADJUST', 'REDEEM', 'REFUND'));
ALTER TABLE gift_card_transaction DROP CONSTRAINT gift_card_transaction_order_id_check;
ALTER TABLE gift_card_transaction ADD CONSTRAINT gift_card_transaction_order_id_check
  CHECK ((type IN ('REDEEM', 'REFUND')) = (order_id IS NOT NULL));

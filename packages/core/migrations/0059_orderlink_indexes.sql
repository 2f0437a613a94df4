-- Orders of guests, found by the mailbox that was proved to be a customer's.
CREATE INDEX orders_store_id_email_guest_idx ON orders (store_id, email, id) WHERE customer_id IS NULL AND email IS NOT NULL;
-- Checkouts of a customer who is deleted.
CREATE INDEX checkout_store_id_customer_id_idx ON checkout (store_id, customer_id) WHERE customer_id IS NOT NULL;
-- Gift cards that were made out to their address.
CREATE INDEX gift_card_store_id_recipient_email_idx ON gift_card (store_id, lower(recipient_email)) WHERE recipient_email IS NOT NULL;

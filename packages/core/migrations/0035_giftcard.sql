-- Prepaid balances. Only the HMAC of a code is kept. `entries` counts the rows of gift_card_transaction.
CREATE TABLE gift_card (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  code_hash text COLLATE "C" NOT NULL,
  code_last4 text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  initial_balance bigint NOT NULL,
  balance bigint NOT NULL,
  entries int NOT NULL,
  disabled_at timestamptz,
  expires_at timestamptz,
  customer_id text COLLATE "C",
  recipient_email text,
  sender_name text,
  message text,
  note text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT gift_card_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT gift_card_store_id_external_id_key UNIQUE (store_id, external_id),
  CONSTRAINT gift_card_store_id_code_hash_key UNIQUE (store_id, code_hash),
  CONSTRAINT gift_card_store_id_fkey FOREIGN KEY (store_id) REFERENCES store (id),
  CONSTRAINT gift_card_store_id_customer_id_fkey FOREIGN KEY (store_id, customer_id) REFERENCES customer (store_id, id),
  CONSTRAINT gift_card_balance_check CHECK (balance >= 0),
  CONSTRAINT gift_card_initial_balance_check CHECK (initial_balance > 0)
);
CREATE INDEX gift_card_store_id_created_at_idx ON gift_card (store_id, created_at, id);
CREATE INDEX gift_card_store_id_customer_id_idx ON gift_card (store_id, customer_id) WHERE customer_id IS NOT NULL;
SELECT tenant_table('gift_card');

-- The ledger of a gift card: its amounts add up to the balance. `position` counts from 1.
CREATE TABLE gift_card_transaction (
  store_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  gift_card_id text COLLATE "C" NOT NULL,
  position int NOT NULL,
  type text NOT NULL,
  amount bigint NOT NULL,
  -- After it.
  balance bigint NOT NULL,
  order_id text COLLATE "C",
  reason text,
  created_at timestamptz NOT NULL,
  CONSTRAINT gift_card_transaction_pkey PRIMARY KEY (store_id, id),
  CONSTRAINT gift_card_transaction_store_id_gift_card_id_position_key UNIQUE (store_id, gift_card_id, position),
  CONSTRAINT gift_card_transaction_store_id_gift_card_id_fkey FOREIGN KEY (store_id, gift_card_id)
    REFERENCES gift_card (store_id, id),
  CONSTRAINT gift_card_transaction_type_check CHECK (type IN ('ISSUE', 'ADJUST', 'REDEEM')),
  CONSTRAINT gift_card_transaction_amount_check CHECK (amount <> 0),
  CONSTRAINT gift_card_transaction_balance_check CHECK (balance >= 0),
  CONSTRAINT gift_card_transaction_order_id_check CHECK ((type = 'REDEEM') = (order_id IS NOT NULL))
);
-- An order spends a card once.
CREATE UNIQUE INDEX gift_card_transaction_store_id_order_id_gift_card_id_key
  ON gift_card_transaction (store_id, order_id, gift_card_id) WHERE type = 'REDEEM';
SELECT tenant_table('gift_card_transaction');

-- What checkouts hold of a card while their payment is under way; after held_until others may have it.
CREATE TABLE gift_card_hold (
  store_id text COLLATE "C" NOT NULL,
  gift_card_id text COLLATE "C" NOT NULL,
  holder_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  held_until timestamptz NOT NULL,
  CONSTRAINT gift_card_hold_pkey PRIMARY KEY (store_id, gift_card_id, holder_id),
  CONSTRAINT gift_card_hold_store_id_gift_card_id_fkey FOREIGN KEY (store_id, gift_card_id)
    REFERENCES gift_card (store_id, id),
  CONSTRAINT gift_card_hold_amount_check CHECK (amount > 0)
);
CREATE INDEX gift_card_hold_store_id_holder_id_idx ON gift_card_hold (store_id, holder_id);
SELECT tenant_table('gift_card_hold');

-- What the shopper has entered to pay with before a provider is asked: [{ id, kind, sourceId, amount }].
ALTER TABLE checkout ADD COLUMN tenders jsonb NOT NULL DEFAULT '[]';

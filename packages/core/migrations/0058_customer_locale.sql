-- The language of mails to a customer: that of their registration, or of a later login. NULL is the store's own.
ALTER TABLE customer ADD COLUMN locale text;

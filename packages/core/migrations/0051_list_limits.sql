-- How many rows a page of a list of the store may have, by the name of its route: where pages of more were found to be larger than a response may be.
ALTER TABLE store ADD COLUMN list_limits jsonb NOT NULL DEFAULT '{}';

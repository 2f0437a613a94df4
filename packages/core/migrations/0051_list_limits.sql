-- Lists of a store whose pages were found to be larger than a response may be, by the last word of their path: how many rows a page has, and until when.
ALTER TABLE store ADD COLUMN list_limits jsonb NOT NULL DEFAULT '{}';

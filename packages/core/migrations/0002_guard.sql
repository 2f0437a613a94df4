-- Fixed windows of the rate limiter. UNLOGGED: counters need not survive a crash.
CREATE UNLOGGED TABLE rate_window (
  bucket text COLLATE "C" NOT NULL,
  window_start bigint NOT NULL,
  ends_at bigint NOT NULL,
  count int NOT NULL,
  CONSTRAINT rate_window_pkey PRIMARY KEY (bucket, window_start)
);
CREATE INDEX rate_window_ends_at_idx ON rate_window (ends_at);

-- One row per Idempotency-Key of a credential. `claimed_until` is the lease of the request that runs it.
CREATE TABLE idempotency (
  store_id text COLLATE "C" NOT NULL,
  credential text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  owner text NOT NULL,
  claimed_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status int,
  content_type text,
  body bytea,
  CONSTRAINT idempotency_pkey PRIMARY KEY (store_id, credential, key)
);
CREATE INDEX idempotency_expires_at_idx ON idempotency (expires_at);

-- Takes one from each window in order, or none: returns the counts after taking, or, where window i refuses, the counts so far
-- with -i as the last element. All in one statement, so exact whichever process asks. A limit below zero reads: it counts nothing
-- and refuses once the count has reached the limit's size.
CREATE FUNCTION rate_take(buckets text[], starts bigint[], ends bigint[], limits int[]) RETURNS int[]
LANGUAGE plpgsql AS $$
DECLARE
  counts int[] := '{}';
  current int;
  refused boolean;
BEGIN
  FOR i IN 1 .. array_length(buckets, 1) LOOP
    IF limits[i] < 0 THEN
      SELECT coalesce(max(count), 0) INTO current FROM rate_window WHERE bucket = buckets[i] AND window_start = starts[i];
      refused := current >= -limits[i];
    ELSE
      INSERT INTO rate_window AS w (bucket, window_start, ends_at, count) VALUES (buckets[i], starts[i], ends[i], 1)
      ON CONFLICT (bucket, window_start) DO UPDATE SET count = w.count + 1 WHERE w.count < limits[i]
      RETURNING count INTO current;
      refused := NOT FOUND;
    END IF;
    IF refused THEN
      FOR j IN 1 .. i - 1 LOOP
        UPDATE rate_window SET count = count - 1 WHERE bucket = buckets[j] AND window_start = starts[j] AND limits[j] > 0;
      END LOOP;
      RETURN counts || -i;
    END IF;
    counts := counts || current;
  END LOOP;
  RETURN counts;
END
$$;

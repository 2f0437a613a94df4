/**
 * Events are kept for a while, and what they tell of for good: a law that looks for the event of something asks only
 * for what is younger than this. SQL over the store $1. Until a removal is recorded, it is the
 * time of the oldest event.
 */
export const eventsKeptSince = `coalesce((SELECT removed_before FROM event_feed WHERE store_id = $1),
  (SELECT min(created_at) FROM event WHERE store_id = $1))`

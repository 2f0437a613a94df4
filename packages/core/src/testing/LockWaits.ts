/**
 * For tests of races, which wait until other sessions are blocked by a session of the test's own. Sessions of other
 * databases of the same cluster wait for locks too, so counting all waiting sessions proves nothing.
 */

/** A client of node-postgres. It may have a transaction open. */
interface Session {
  readonly query: (text: string) => Promise<{ readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>> }>
}

/** Milliseconds. Sessions that wait for a lock get an error after a few seconds. */
const patience = 20_000

/**
 * Resolves when at least `count` sessions wait for a lock that this one has, or behind a session that does. Background
 * workers may be among them.
 */
export const waitedFor = async (session: Session, count = 1): Promise<void> => {
  const behind = `WITH RECURSIVE behind AS (
      SELECT pg_backend_pid() AS pid
      UNION SELECT l.pid FROM pg_locks l JOIN behind b ON b.pid = ANY(pg_blocking_pids(l.pid)) WHERE NOT l.granted
    ) SELECT count(*)::int - 1 AS n FROM behind`
  for (const end = performance.now() + patience; performance.now() < end; ) {
    const { rows } = await session.query(behind)
    if (Number(rows[0]?.["n"]) >= count) return
    await new Promise((done) => setTimeout(done, 5))
  }
  throw new Error(`fewer than ${count} sessions wait`)
}

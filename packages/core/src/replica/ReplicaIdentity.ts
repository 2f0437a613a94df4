/**
 * Who a server is: a replica has the same system identifier and the same database as its primary, and is in recovery.
 * Asked by the process that reads from it, and by `doctor`.
 */

export interface ServerFacts {
  readonly isInRecovery: boolean
  /** Of the cluster, and of the database in it. */
  readonly identity: string
  /** How far the write-ahead log is written, or replayed; null where the server does not say. */
  readonly position: bigint | null
}

/** The row of `whereIs`. */
export interface ServerRow {
  readonly recovering: boolean
  readonly identity: string
  readonly position: string | null
}

/**
 * One statement for both. The primary counts what it has flushed: a commit is answered after that, and only that is
 * sent to replicas.
 */
export const whereIs = `SELECT pg_is_in_recovery() AS recovering,
  (SELECT system_identifier FROM pg_control_system())::text || ' ' ||
    (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())::text AS identity,
  (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0')::text
    AS position`

export const toServerFacts = ({ recovering, identity, position }: ServerRow): ServerFacts => ({
  isInRecovery: recovering,
  identity,
  position: position === null ? null : BigInt(position)
})

/** Why the second is no replica of the first, for a person; undefined if it is. */
export const strangeness = (primary: ServerFacts, replica: ServerFacts): string | undefined => {
  if (primary.isInRecovery) return "the database of DATABASE_URL is a replica itself"
  if (replica.identity !== primary.identity) return "it is no copy of the database of DATABASE_URL"
  if (!replica.isInRecovery) return "it is no replica: it takes writes of its own, as after a promotion"
  if (replica.position === null) return "it does not say how far it has come"
  return undefined
}

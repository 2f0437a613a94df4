/** How an embedded PostgreSQL is started (EmbeddedPostgres.ts). */

export interface EmbeddedOptions {
  /** The data directory; created if missing, rejected if it holds other files. */
  readonly dataDir: string
  /** False: faster, but a crash of the machine may lose the data; for tests. True by default. */
  readonly durable?: boolean | undefined
  /** True stops the server at the end even while other processes are connected; for tests. */
  readonly exclusive?: boolean | undefined
  /** Name of the database, created if missing; `commerce` by default. */
  readonly database?: string | undefined
}

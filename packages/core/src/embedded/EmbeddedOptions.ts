/** How an embedded PostgreSQL is started (EmbeddedPostgres.ts). */

export interface EmbeddedOptions {
  /** Folder that holds everything; made when missing, refused when it holds something else. */
  readonly dataDir: string
  /** False gives up safety against a crash of the machine, for tests. True by default. */
  readonly durable?: boolean | undefined
  /** True stops the server at the end even while others are connected, for tests. */
  readonly exclusive?: boolean | undefined
  /** Name of the database, made when missing; `commerce` by default. */
  readonly database?: string | undefined
}

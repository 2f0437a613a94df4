/**
 * The parts of node-postgres (`pg` 8.11 or newer) that we use, as interfaces: a host's `Pool` and `PoolClient` fit
 * them, and programs without `pg` need not install it. Each statement has its own type parsers, so the host's are
 * neither used nor changed.
 */

/** One statement. Parameters are encoded already, as text or bytes. */
export interface HostQuery {
  readonly text: string
  readonly values?: Array<string | Uint8Array | null>
  /** The prepared statement's name; without one it is parsed each time. */
  readonly name?: string
  readonly rowMode?: "array"
  readonly types: { getTypeParser(oid: number, format?: string): (value: string) => unknown }
}

export interface HostResult {
  readonly command: string
  readonly fields: ReadonlyArray<{ readonly name: string }>
  readonly rows: ReadonlyArray<unknown>
}

/** A connected client, such as the one that a host's transaction uses. */
export interface HostClient {
  query(query: HostQuery): Promise<HostResult>
  on(event: "error", listener: (error: Error) => void): unknown
  removeListener(event: "error", listener: (error: Error) => void): unknown
}

/** A client borrowed from a pool. */
export interface HostPoolClient extends HostClient {
  /** `true` closes the connection instead of returning it to the pool. */
  release(destroy?: boolean): void
  on(event: "error", listener: (error: Error) => void): unknown
  on(event: "end", listener: () => void): unknown
  on(
    event: "notification",
    listener: (notice: { readonly channel: string; readonly payload?: string | undefined }) => void
  ): unknown
}

export interface HostPool {
  connect(): Promise<HostPoolClient>
  /** The pool's options, as node-postgres stores them. */
  readonly options?: { readonly max?: number | undefined } | undefined
}

/**
 * What we use of a host's node-postgres (`pg` 8.11 or newer), as shapes: a host's `Pool` and `PoolClient` fit them as
 * they are, and nobody who brings no `pg` has to install it. Each statement brings its own parsers along, so the host's
 * are neither used nor changed.
 */

/** One statement. Parameters are text already, or bytes. */
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

/** A connected client, such as a host holds inside its transaction. */
export interface HostClient {
  query(query: HostQuery): Promise<HostResult>
  on(event: "error", listener: (error: Error) => void): unknown
  removeListener(event: "error", listener: (error: Error) => void): unknown
}

/** A client lent by a pool. */
export interface HostPoolClient extends HostClient {
  /** `true` ends the connection in place of lending it to the next. */
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
  /** As node-postgres keeps them. */
  readonly options?: { readonly max?: number | undefined } | undefined
}

/** The little of node-postgres that tests use as the second, independent client. */
declare module "pg" {
  interface ClientConfig {
    readonly connectionString?: string
    readonly host?: string
    readonly port?: number
    readonly user?: string
    readonly password?: string
    readonly database?: string
    readonly statement_timeout?: number
  }
  interface Query {
    readonly text: string
    readonly values?: ReadonlyArray<unknown>
    readonly name?: string
  }
  interface QueryResult {
    readonly rows: ReadonlyArray<Record<string, unknown>>
    readonly rowCount: number | null
    readonly command: string
    readonly fields: ReadonlyArray<{ readonly name: string }>
  }
  interface Queryable {
    query(query: string | Query, values?: ReadonlyArray<unknown>): Promise<QueryResult>
    end(): Promise<void>
    on(event: "error", listener: (error: Error) => void): this
  }
  class Client implements Queryable {
    constructor(config?: ClientConfig)
    connect(): Promise<void>
    query(query: string | Query, values?: ReadonlyArray<unknown>): Promise<QueryResult>
    end(): Promise<void>
    on(event: "error", listener: (error: Error) => void): this
    removeListener(event: "error", listener: (error: Error) => void): this
  }
  interface PoolClient extends Queryable {
    release(error?: boolean | Error): void
    on(event: "error", listener: (error: Error) => void): this
    on(event: "end", listener: () => void): this
    on(
      event: "notification",
      listener: (notice: { readonly channel: string; readonly payload?: string | undefined }) => void
    ): this
    removeListener(event: "error", listener: (error: Error) => void): this
  }
  class Pool implements Queryable {
    constructor(config?: ClientConfig & { readonly max?: number })
    connect(): Promise<PoolClient>
    query(query: string | Query, values?: ReadonlyArray<unknown>): Promise<QueryResult>
    end(): Promise<void>
    on(event: "error", listener: (error: Error) => void): this
  }
  const pg: { readonly Client: typeof Client; readonly Pool: typeof Pool }
  export default pg
  export { Client, Pool, type ClientConfig, type PoolClient, type Queryable, type QueryResult }
}

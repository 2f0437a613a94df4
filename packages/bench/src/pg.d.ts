/** What the benchmark uses of node-postgres beyond what the tests declare of it. */
declare module "pg" {
  interface ClientConfig {
    /** Settings of the session, as `-c name=value`. */
    readonly options?: string
    /** What pg_stat_activity shows. */
    readonly application_name?: string
  }
}
export {}

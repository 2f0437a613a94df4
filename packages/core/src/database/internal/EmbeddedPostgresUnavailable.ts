/** Why the embedded PostgreSQL cannot serve, in one line for the operator. */
export class EmbeddedPostgresUnavailable extends Error {
  override readonly name = "EmbeddedPostgresUnavailable"
}

/** The lock under which an installation is set up: of two that begin at once, the second finds the store of the first. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"

export class InstallationRepository extends Context.Service<
  InstallationRepository,
  {
    /** Until the surrounding transaction ends. Its number is that of the migrations and one. */
    readonly lock: Effect.Effect<void>
  }
>()("@effect-commerce/core/identity/InstallationRepository") {
  static readonly layer = Layer.effect(
    InstallationRepository,
    Effect.map(Database, ({ sql }) => InstallationRepository.of({ lock: Effect.orDie(Effect.asVoid(sql`SELECT pg_advisory_xact_lock(7165064744911531878)`)) }))
  )
}

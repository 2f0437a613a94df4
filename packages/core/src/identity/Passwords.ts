/** Passwords are kept as argon2id hashes (RFC 9106; 19 MiB, two passes, one lane, OWASP's first choice). */
import { hash, verify } from "@node-rs/argon2"
import { Effect } from "effect"

const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Effect.Effect<string> => Effect.promise(() => hash(password, settings))

export const matchesPassword = (password: string, kept: string): Effect.Effect<boolean> =>
  Effect.promise(() => verify(kept, password))

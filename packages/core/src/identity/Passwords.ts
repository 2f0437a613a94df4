/**
 * Passwords are stored as argon2id hashes (RFC 9106; 19 MiB, two passes, one lane, OWASP's first choice). The package
 * is native, and loaded with the first password.
 */
import { Effect } from "effect"
import { loadedOnce } from "../kernel/loadedOnce.ts"

const argon2 = loadedOnce(() => import("@node-rs/argon2"))
const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Effect.Effect<string> =>
  Effect.promise(async () => (await argon2()).hash(password, settings))

export const matchesPassword = (password: string, kept: string): Effect.Effect<boolean> =>
  Effect.promise(async () => (await argon2()).verify(kept, password))

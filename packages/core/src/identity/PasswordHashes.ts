/**
 * The hashing of passwords, for customers and for people of the dashboard alike: argon2id, at most two at once in a
 * process, and on half of the machine's cores. A hash occupies a core, one of libuv's four threads and 19 MiB for some
 * 12 ms: what is left serves everybody else, and a core still serves some 75 logins a second. Owners (a store; the
 * account of a person of the dashboard) are served in turn: behind a flood of logins of one, another one's login waits
 * for one of them. Who waits is bounded, and so is how long: what does not fit fails with PasswordsBusy before any work
 * is done.
 */
import { Context, Effect, Layer } from "effect"
import { FairTurns } from "../database/FairTurns.ts"
import { outOfTurn } from "../kernel/RequestTurn.ts"
import { PasswordsBusy } from "./IdentityErrors.ts"
import { hashPassword, matchesPassword } from "./Passwords.ts"

/** On two cores a second hash at once would take the time of every other request. */
export const hashesAtOnce = (cores: number): number => Math.min(2, Math.max(1, Math.floor(cores / 2)))

export const hashBounds = {
  atOnce: hashesAtOnce(navigator.hardwareConcurrency),
  /** Of one owner: at 75 a second the last of them waits for less than three seconds. */
  waiting: 200,
  waitingInAll: 1_000,
  /** Milliseconds. */
  patience: 10_000
}

/** A hash of 32 random bytes that were not kept, made with the settings of Passwords.ts. */
export const nobodysHash =
  "$argon2id$v=19$m=19456,t=2,p=1$rGxfSTw7PtFB38c7js9W/A$Yen+sjPsd4MbDZFPluHXza47SyFMF6SEZWAbMz2hdf0"

export class PasswordHashes extends Context.Service<PasswordHashes>()("@effect-commerce/core/identity/PasswordHashes", {
  make: Effect.sync(() => {
    const turns = new FairTurns(hashBounds, () => new PasswordsBusy())
    /** The same password however it was typed: composed and decomposed letters are equal (RFC 8265). */
    const typed = (password: string) => password.normalize("NFC")
    return {
      hash: (owner: string, password: string) => outOfTurn(turns.run(owner)(hashPassword(typed(password)))),
      /** Against null, a hash is computed all the same: a missing account takes as long as a wrong password. */
      matches: (owner: string, password: string, kept: string | null) =>
        Effect.map(
          outOfTurn(turns.run(owner)(matchesPassword(typed(password), kept ?? nobodysHash))),
          (matches) => matches && kept !== null
        )
    }
  })
}) {
  static readonly layer = Layer.effect(PasswordHashes, PasswordHashes.make)
}

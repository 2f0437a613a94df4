/**
 * Passwords of customers: hashed and compared with argon2id, two at once in a process: a hash occupies one of libuv's
 * four threads and 19 MiB for some 12 ms, so two leave half of the threads to everything else and still serve 150
 * logins a second. Stores are served round robin: behind a flood of logins of one store, another store's login waits
 * for one of them.
 */
import { Context, Effect, Layer } from "effect"
import { FairTurns } from "../database/FairTurns.ts"
import { outOfTurn } from "../kernel/RequestTurn.ts"
import { hashPassword, matchesPassword } from "../identity/Passwords.ts"

export const concurrentHashes = 2

/** A hash of 32 random bytes that were not kept, made with the settings of identity/Passwords.ts. */
export const nobodysHash =
  "$argon2id$v=19$m=19456,t=2,p=1$rGxfSTw7PtFB38c7js9W/A$Yen+sjPsd4MbDZFPluHXza47SyFMF6SEZWAbMz2hdf0"

export class CustomerPasswords extends Context.Service<CustomerPasswords>()(
  "@effect-commerce/core/customer/CustomerPasswords",
  {
    make: Effect.sync(() => {
      const turns = new FairTurns({ atOnce: concurrentHashes })
      /** The same password however it was typed: composed and decomposed letters are equal (RFC 8265). */
      const typed = (password: string) => password.normalize("NFC")
      return {
        hash: (storeId: string, password: string) => outOfTurn(turns.run(storeId)(hashPassword(typed(password)))),
        /** Against null, a hash is computed all the same: a missing account takes as long as a wrong password. */
        matches: (storeId: string, password: string, kept: string | null) =>
          Effect.map(
            outOfTurn(turns.run(storeId)(matchesPassword(typed(password), kept ?? nobodysHash))),
            (matches) => matches && kept !== null
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CustomerPasswords, CustomerPasswords.make)
}

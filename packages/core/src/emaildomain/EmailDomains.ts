/**
 * The domains of a store: added, verified by their DNS records, looked at again every day, removed. Records are looked
 * up outside of any transaction. Where name servers do not answer, nothing is changed: a domain fails only if its
 * records are known to be gone.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { makeDkimKey } from "../crypto/DkimKeys.ts"
import { randomHex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { checkVersion, nextVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { readDomain } from "./DomainName.ts"
import { DomainRecords } from "./DomainRecords.ts"
import {
  afterLook,
  type EmailDomainState,
  emailDomainBound,
  type NewEmailDomain,
  type RecordPurpose,
  toEmailDomain,
  wantedRecords
} from "./EmailDomain.ts"
import { EmailDomainNotFound, EmailDomainNotLookedUp } from "./EmailDomainErrors.ts"
import { EmailDomainRepository } from "./EmailDomainRepository.ts"
import { SenderDomain } from "./SenderDomain.ts"

const keyPurpose = "dkim-key"
const keyContext = (storeId: string, id: string): string => `${storeId}|email_domain|private_key|${id}`

/** How long a look at a domain that was verified holds. */
const lookMillis = 86_400_000
/** When name servers that have not answered are asked again. */
const againMillis = 3_600_000
/** Stores whose domains are looked at at a time: name servers that do not answer hold up no other store. */
const storesAtOnce = 16

/** What mails from a domain are signed with. */
export interface Signature {
  readonly domain: string
  readonly selector: string
  /** PKCS #8, PEM. */
  readonly privateKey: string
}

export class EmailDomains extends Context.Service<EmailDomains>()("@effect-commerce/core/emaildomain/EmailDomains", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* EmailDomainRepository
    const records = yield* DomainRecords
    const secret = yield* RootSecret
    const { domain: senderDomain } = yield* SenderDomain

    const view = (store: { readonly id: string }, row: EmailDomainState) => toEmailDomain(store.id, row, senderDomain)
    const notFound = (id: string) => () => new EmailDomainNotFound({ id })

    const create = Effect.fn("EmailDomains.create")(function* (store: StoreContext, input: NewEmailDomain) {
      const read = readDomain(input.domain)
      if ("problem" in read) return yield* FieldRejected.at("domain", read.problem)
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const id = makeId("dom", now)
      const { publicKey, privateKey } = yield* makeDkimKey
      const row: EmailDomainState = {
        id,
        domain: read.domain,
        status: "PENDING",
        token: randomHex("", 16),
        selector: randomHex("ec", 5),
        publicKey,
        privateKey: secret.seal(keyPurpose, keyContext(store.id, id), privateKey),
        checks: {},
        verifiedAt: null,
        lastCheckedAt: null,
        createdAt: at,
        updatedAt: at
      }
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* checkRoom(emailDomainBound, yield* repository.countToAdd(store.id))
          yield* repository.insert(store.id, row)
        })
      )
      return view(store, row)
    })

    /** What is set up of a domain. Fails if a record that is required cannot be looked up. */
    const lookAt = Effect.fnUntraced(function* (row: EmailDomainState) {
      const wanted = wantedRecords(row, senderDomain)
      const found = yield* Effect.forEach(
        wanted,
        ({ name, isSet, required, purpose }) =>
          records.texts(name).pipe(
            Effect.map((texts): ReadonlyArray<RecordPurpose> => (isSet(texts) ? [purpose] : [])),
            Effect.catch(({ reason }) =>
              required
                ? Effect.fail(new EmailDomainNotLookedUp({ domain: row.domain, reason }))
                : Effect.succeed(row.checks[purpose] === "VERIFIED" ? [purpose] : [])
            )
          ),
        { concurrency: "unbounded" }
      )
      return { wanted, found: new Set(found.flat()) }
    })

    const verify = Effect.fn("EmailDomains.verify")(function* (store: { readonly id: string }, id: string) {
      const looked = yield* lookAt(yield* orFail(repository.find(store.id, id), notFound(id)))
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const row = yield* orFail(repository.lock(store.id, id), notFound(id))
          yield* checkVersion(row.updatedAt)
          const at = nextVersion(row.updatedAt, now)
          const look = { ...afterLook(row, looked.wanted, looked.found, new Date(now)), updatedAt: at }
          yield* repository.putLook(store.id, id, look, new Date(now + lookMillis))
          return view(store, { ...row, ...look })
        })
      )
    })

    /** Looks at the domain of a store that waits longest. The attempt counts before it is made. */
    const lookAgain = Effect.fnUntraced(function* (storeId: string) {
      const now = yield* Clock.currentTimeMillis
      const row = yield* database.write(storeId)(
        repository.claimLook(storeId, new Date(now), new Date(now + againMillis))
      )
      if (row === undefined) return false
      yield* Effect.catchTags(verify({ id: storeId }, row.id), {
        EmailDomainNotFound: () => Effect.void,
        ResourceChanged: () => Effect.void,
        EmailDomainNotLookedUp: ({ domain, reason }) =>
          Effect.annotateLogs(Effect.logWarning("An e-mail domain could not be looked up"), { storeId, domain, reason })
      })
      return true
    })

    return {
      /** Newest first. */
      list: (store: StoreContext, page: Page) =>
        Effect.map(repository.list(store.id, page), ({ items, total }) => ({
          items: items.map((row) => view(store, row)),
          total
        })),
      create,
      verify,

      remove: Effect.fn("EmailDomains.remove")(function* (store: StoreContext, id: string) {
        const removed = yield* database.write(store.id)(repository.remove(store.id, id))
        if (!removed) return yield* new EmailDomainNotFound({ id })
      }),

      /** The domain as it is shown; null if there is none of this id. */
      shown: (store: { readonly id: string }, id: string) =>
        Effect.map(repository.find(store.id, id), (row) => (row === undefined ? null : view(store, row))),

      /** The verified domain of this id; undefined if there is none. It is not removed while a transaction is open. */
      verified: (storeId: string, id: string) =>
        Effect.map(repository.hold(storeId, id), (row) => (row?.status === "VERIFIED" ? row.domain : undefined)),

      /** The domain of this id, while mails may come from it. */
      sending: (storeId: string, id: string) =>
        Effect.map(repository.find(storeId, id), (row) => (row?.status === "VERIFIED" ? row.domain : undefined)),

      /** What mails from this domain are signed with; undefined if the store may not send from it, or not any more. */
      signature: (storeId: string, domain: string): Effect.Effect<Signature | undefined> =>
        Effect.map(repository.verified(storeId, domain), (row) => {
          if (row === undefined) return undefined
          const { selector, id, privateKey } = row
          return { domain, selector, privateKey: secret.open(keyPurpose, keyContext(storeId, id), privateKey) }
        }),

      /** Looks again at domains that were verified once, each once a day. A worker runs it; any number may. */
      lookAgain: storesInTurn(
        "Looking at e-mail domains",
        Effect.flatMap(Clock.currentTimeMillis, (now) => repository.storesToLookAt(new Date(now))),
        lookAgain,
        storesAtOnce
      )
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

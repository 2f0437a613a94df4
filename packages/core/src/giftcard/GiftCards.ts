/**
 * The gift cards of a store: issued, adjusted and disabled by the merchant, found by their code for shoppers. Every
 * change of a balance makes an entry in the card's ledger, in the same statement.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Customers } from "../customer/Customers.ts"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { isCurrency } from "../kernel/Currency.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { makeId } from "../kernel/Ids.ts"
import { parseIsoTime } from "../kernel/IsoTime.ts"
import { formatMoney, isStorableMoney, parseAmount, parseMoney } from "../kernel/Money.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import {
  type GiftCardAdjustment,
  type GiftCardFields,
  type GiftCardInput,
  type GiftCardPatch,
  giftCardStatusAt,
  type IssuedGiftCard,
  toGiftCardView
} from "./GiftCard.ts"
import { hashGiftCardCode, lastFourOf, makeGiftCardCode } from "./GiftCardCode.ts"
import { GiftCardBalanceTooLow, GiftCardNotFound } from "./GiftCardErrors.ts"
import { GiftCardHoldRepository } from "./GiftCardHoldRepository.ts"
import { balanceAt, toTransactionView } from "./GiftCardLedger.ts"
import { type GiftCardFilter, GiftCardRepository } from "./GiftCardRepository.ts"

export class GiftCards extends Context.Service<GiftCards>()("@effect-commerce/core/giftcard/GiftCards", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* GiftCardRepository
    const holds = yield* GiftCardHoldRepository
    const customers = yield* Customers
    const { holdCurrency } = yield* Stores
    const secret = yield* RootSecret

    const hashOf = (storeId: string, code: string) => hashGiftCardCode(secret.derive(`gift-card-code/${storeId}`), code)
    const notFound = (id: string) => () => new GiftCardNotFound({ id })

    const read = Effect.fnUntraced(function* (store: StoreContext, id: string) {
      const card = yield* orFail(repository.find(store.id, id), notFound(id))
      return toGiftCardView(card, yield* Clock.currentTimeMillis)
    })

    /** Locks the customer, before any other lock, so that no card names a customer who is deleted meanwhile. */
    const checkCustomer = Effect.fnUntraced(function* (storeId: string, id: string | null | undefined) {
      if (typeof id !== "string" || (yield* customers.lock(storeId, id))) return
      return yield* FieldRejected.at("customerId", "is not a customer of this store")
    })

    /** Issues a card. `code` is one of the merchant's own, such as of a printed card; a new one by default. */
    const create = Effect.fn("GiftCards.create")(function* (
      seen: StoreContext,
      input: GiftCardInput,
      code: string = makeGiftCardCode()
    ) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(seen.id)(
        Effect.gen(function* () {
          const customer = yield* Effect.result(checkCustomer(seen.id, input.customerId))
          const store = yield* holdCurrency(seen)
          const { balance, fields, currency } = yield* checkAll({
            balance: initialBalanceOf(input, store.currency),
            currency: currencyOf(input, store.currency),
            fields: changed(noFields, input),
            customer: Effect.fromResult(customer)
          })
          const card = {
            ...fields,
            id: makeId("gc", now),
            codeLast4: lastFourOf(code),
            initialBalance: balance,
            balance,
            currency,
            createdAt: new Date(now)
          }
          yield* repository.insert(store.id, { ...card, codeHash: hashOf(store.id, code) }, makeId("gct", now))
          const issued: IssuedGiftCard = {
            ...toGiftCardView({ ...card, disabledAt: null, updatedAt: card.createdAt }, now),
            code
          }
          return issued
        })
      )
    })

    const update = Effect.fn("GiftCards.update")(function* (store: StoreContext, id: string, patch: GiftCardPatch) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const customer = yield* Effect.result(checkCustomer(store.id, patch.customerId))
          const current = yield* orFail(repository.lock(store.id, id), notFound(id))
          const { fields } = yield* checkAll({
            fields: changed(current, patch),
            customer: Effect.fromResult(customer)
          })
          yield* repository.update(store.id, id, fields, new Date(now))
          return yield* read(store, id)
        })
      )
    })

    const adjust = Effect.fn("GiftCards.adjust")(function* (
      store: StoreContext,
      id: string,
      { delta, reason }: GiftCardAdjustment
    ) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const { balance, currency } = yield* orFail(repository.lock(store.id, id), notFound(id))
          const amount = parseMoney(delta, currency)
          if (typeof amount !== "bigint") return yield* FieldRejected.at("delta", amount.message)
          if (amount === 0n) return yield* FieldRejected.at("delta", "must not be zero")
          if (!isStorableMoney(balance + amount)) return yield* FieldRejected.at("delta", "is too large")
          const entry = {
            id: makeId("gct", now),
            type: "ADJUST",
            amount,
            orderId: null,
            reason: reason.trim()
          } as const
          if (!(yield* repository.move(store.id, id, { ...entry, now: new Date(now) })))
            return yield* new GiftCardBalanceTooLow({
              balance: formatMoney(balance, currency),
              delta: formatMoney(amount, currency)
            })
          return yield* read(store, id)
        })
      )
    })

    const setDisabled = Effect.fnUntraced(function* (store: StoreContext, id: string, isDisabled: boolean) {
      const now = new Date(yield* Clock.currentTimeMillis)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          if (!(yield* repository.setDisabled(store.id, id, isDisabled, now)))
            return yield* new GiftCardNotFound({ id })
          return yield* read(store, id)
        })
      )
    })

    return {
      create,
      update,
      adjust,
      get: read,
      disable: (store: StoreContext, id: string) => setDisabled(store, id, true),
      enable: (store: StoreContext, id: string) => setDisabled(store, id, false),
      list: (store: StoreContext, page: Page, filter: GiftCardFilter) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          mapItems(repository.list(store.id, page, filter, new Date(now)), (card) => toGiftCardView(card, now))
        ),
      /** The ledger of a card, newest first. */
      transactions: Effect.fnUntraced(function* (store: StoreContext, id: string, page: Page) {
        const { currency } = yield* orFail(repository.find(store.id, id), notFound(id))
        return yield* mapItems(repository.transactions(store.id, id, page), (entry) =>
          toTransactionView(entry, currency)
        )
      }),
      /** What is left on the card with this code. Every code takes the same statement, and so the same time. */
      balance: (store: StoreContext, code: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.map(repository.findByCode(store.id, hashOf(store.id, code)), (card) =>
            balanceAt(card, store.currency, now)
          )
        ),
      /** The id of the card with this code if it can pay for something in the checkout now; else undefined. */
      findUsable: Effect.fnUntraced(function* (
        store: StoreContext,
        code: string,
        checkout: { readonly id: string; readonly currency: string }
      ) {
        const now = yield* Clock.currentTimeMillis
        const holder = { holderId: checkout.id, now: new Date(now) }
        const card = yield* holds.payableByCode(store.id, hashOf(store.id, code), holder)
        if (card === undefined || card.currency !== checkout.currency) return undefined
        return giftCardStatusAt(card, now) === "ACTIVE" && card.balance > card.heldByOthers ? card.id : undefined
      })
    }
  })
}) {
  static readonly layer = Layer.effect(GiftCards, GiftCards.make).pipe(
    Layer.provide([GiftCardRepository.layer, GiftCardHoldRepository.layer])
  )
}

const noFields: GiftCardFields = {
  expiresAt: null,
  customerId: null,
  recipientEmail: null,
  senderName: null,
  message: null,
  note: null
}

const currencyOf = ({ currency }: GiftCardInput, ofStore: string): Effect.Effect<string, FieldRejected> => {
  if (currency === undefined) return Effect.succeed(ofStore)
  return isCurrency(currency)
    ? Effect.succeed(currency)
    : FieldRejected.at("currency", "must be an ISO 4217 code such as USD")
}

const initialBalanceOf = (
  { initialBalance, currency }: GiftCardInput,
  ofStore: string
): Effect.Effect<bigint, FieldRejected> => {
  const minor = parseAmount(initialBalance, currency !== undefined && isCurrency(currency) ? currency : ofStore)
  if (typeof minor !== "bigint") return FieldRejected.at("initialBalance", minor.message)
  return minor === 0n ? FieldRejected.at("initialBalance", "must be more than zero") : Effect.succeed(minor)
}

/** The fields with the changes of a body: what is absent stays, null clears. */
const changed = (
  current: GiftCardFields,
  { expiresAt, customerId, recipientEmail, ...texts }: GiftCardPatch
): Effect.Effect<GiftCardFields, FieldRejected> => {
  const at = typeof expiresAt === "string" ? parseIsoTime(expiresAt) : (expiresAt ?? null)
  if (at === undefined) return FieldRejected.at("expiresAt", "must be an ISO 8601 time")
  const textOf = (name: "senderName" | "message" | "note") =>
    texts[name] === undefined ? current[name] : trimmedText(texts[name])
  return Effect.succeed({
    expiresAt: expiresAt === undefined ? current.expiresAt : at,
    customerId: customerId === undefined ? current.customerId : customerId,
    recipientEmail: recipientEmail === undefined ? current.recipientEmail : emailOf(recipientEmail),
    senderName: textOf("senderName"),
    message: textOf("message"),
    note: textOf("note")
  })
}

const emailOf = (given: string | null): string | null => (given === null ? null : normaliseEmail(given))

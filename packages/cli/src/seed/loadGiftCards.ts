/**
 * The gift cards of a store description, such as those of another system that are in the hands of shoppers already. A
 * row has the code, because nobody could read one that is made here. Balance and code are set when a card is created;
 * its other fields are brought up to date.
 */
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { GiftCardInput } from "@effect-commerce/core/giftcard/GiftCard"
import { normaliseGiftCardCode } from "@effect-commerce/core/giftcard/GiftCardCode"
import { GiftCards } from "@effect-commerce/core/giftcard/GiftCards"
import { Effect, Schema } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

/** Fewer characters could be guessed. */
const shortestCode = 8

const code = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(200),
    Schema.makeFilter(
      (text: string) => normaliseGiftCardCode(text).length >= shortestCode || `must have ${shortestCode} characters`
    )
  )
)

/** `customerId` is an externalId or an id. */
const GiftCardRow = Schema.Struct({ ...GiftCardInput.fields, code })

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const cards = yield* GiftCards
  const externalIds = yield* ExternalIds
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(GiftCardRow, "giftCards", row)), (body) => ({
      externalId: row.externalId,
      body
    }))
  )
  const owners = read.flatMap(({ body }) => (typeof body.customerId === "string" ? [body.customerId] : []))
  loading.name("customers", yield* externalIds.find(store.id, "customer", owners))
  const named = yield* externalIds.find(
    store.id,
    "gift_card",
    read.map(({ externalId }) => externalId)
  )
  for (const { externalId, body } of read) {
    const { code: given, initialBalance, currency, ...others } = body
    const { customerId } = others
    const patch =
      typeof customerId === "string" ? { ...others, customerId: loading.idOf("customers", customerId) } : others
    const known = named.get(externalId)
    if (known !== undefined) yield* inRow("giftCards", externalId)(cards.update(store, known, patch))
    else {
      const input = { ...patch, initialBalance, ...(currency === undefined ? {} : { currency }) }
      const { id } = yield* inRow("giftCards", externalId)(cards.create(store, input, given))
      yield* externalIds.assign(store.id, "gift_card", id, externalId)
    }
    loading.count("giftCards", known === undefined ? "created" : "updated")
  }
})

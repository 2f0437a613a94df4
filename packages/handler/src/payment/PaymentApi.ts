/** The payment providers of a store, and the address that companies send their notices to. */
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { string } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { NoticeRejected, PaymentProviderNotReady } from "@effect-commerce/core/payment/PaymentErrors"
import { mostNoticeBytes, NoticesFull } from "@effect-commerce/core/notice/NoticeErrors"
import {
  NewPaymentProvider,
  PaymentProviderChanges,
  PaymentProviderView
} from "@effect-commerce/core/payment/StoreProvider"
import {
  PaymentAccountChanged,
  PaymentProviderInUse,
  PaymentProviderNamed,
  PaymentProviderNotFound,
  PaymentProviderTaken
} from "@effect-commerce/core/payment/StoreProviderErrors"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, rawRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { useCase } from "../middleware/Versioned.ts"
import { paymentErrors } from "./paymentErrors.ts"

const fails = failsBy(paymentErrors)

const id = { id: string("The payment provider.") }

export class PaymentProvidersGroup extends apiGroup("paymentProviders", {
  part: "Admin",
  title: "Payment providers",
  description: "How a store is paid: its accounts at payment companies, and ways to pay by hand."
}).add(
  HttpApiEndpoint.get("list", "/v1/payment-providers", {
    query: pageQuery,
    success: listEnvelope(PaymentProviderView)
  }).pipe(
    adminRoute({
      summary: "List payment providers",
      description: "Lists the payment providers that the store has set up, the oldest first, without credentials."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/payment-providers", {
    payload: NewPaymentProvider,
    success: PaymentProviderView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, PaymentProviderTaken, PaymentProviderNotReady)
  }).pipe(
    adminRoute({
      summary: "Set up a payment provider",
      description:
        "Checks the credentials with the company, and stores them encrypted. They decide the account and whether it " +
        "serves channels in test mode or in live mode; set up both to try payments in one channel and take them in " +
        "another. An account can be set up once."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/payment-providers/:id", {
    params: id,
    success: PaymentProviderView,
    error: fails(PaymentProviderNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a payment provider",
      description: "Returns one payment provider. Its credentials are never returned, only the names of their fields."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/payment-providers/:id", {
    params: id,
    payload: PaymentProviderChanges,
    success: PaymentProviderView,
    error: fails(
      FieldRejected,
      PaymentProviderNotFound,
      PaymentAccountChanged,
      PaymentProviderNotReady,
      ResourceChanged
    )
  }).pipe(
    adminRoute({
      version: useCase,
      summary: "Change a payment provider",
      description:
        "Changes its name, switches it on or off, or rotates its credentials. New credentials must be of the same " +
        "account; those before stay valid for `credentialsOverlapHours`. Switching it off ends no payment that has " +
        "begun."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/payment-providers/:id", {
    params: id,
    success: Success,
    error: fails(PaymentProviderNotFound, PaymentProviderInUse, PaymentProviderNamed, ResourceChanged)
  }).pipe(
    adminRoute({
      version: useCase,
      summary: "Delete a payment provider",
      description:
        "Deletes a payment provider with its credentials. 409 while payments of it are not finished, because nobody " +
        "could capture or refund them any more: switch it off, and delete it later. Payments that were made stay as " +
        "they are; what is refunded of them later is refunded at the company."
    })
  )
) {}

const Received = Schema.Struct({
  received: Schema.Literal(true).annotate({ description: "It is stored; what it means is found out afterwards." })
}).annotate({ identifier: "NoticeReceived", description: "A notice was received." })

export class PaymentEventsGroup extends apiGroup("paymentEvents", {
  part: "Public",
  title: "Notices of payment providers",
  description: "Where payment companies report the status of payments."
}).add(
  HttpApiEndpoint.post("receive", "/payment-events/:providerId", {
    params: {
      providerId: string(
        "The payment provider of the store, or the code of one that serves every store of the server.",
        "ppr_01k9f3m2q7x4b8n6c5d1e0h2jk"
      )
    },
    success: Received,
    error: fails(PaymentProviderNotFound, NoticeRejected, NoticesFull)
  }).pipe(
    rawRoute({
      maxBody: mostNoticeBytes,
      summary: "Receive a notice of a payment provider",
      description:
        "Enter this URL as the webhook of your account at the payment company. The body is of whatever kind the " +
        "company sends, up to 256 KB. Its signature is verified and it is stored before the response; then the " +
        "company is asked for the status of the payment. A notice that came before has the same response."
    })
  )
) {}

export const paymentGroups = [PaymentProvidersGroup, PaymentEventsGroup] as const

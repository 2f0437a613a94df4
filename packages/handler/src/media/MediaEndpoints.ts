import { Products } from "@effect-commerce/core/product/Products"
import { RateLimits } from "@effect-commerce/core/guard/RateLimits"
import { MediaAssets } from "@effect-commerce/core/media/MediaAssets"
import {
  type MediaIngest,
  MediaSourceUrl,
  type MediaTexts,
  mediaTextLength
} from "@effect-commerce/core/media/MediaAsset"
import { UploadedFiles } from "@effect-commerce/core/media/UploadedFiles"
import { longProblem, problemsOf } from "@effect-commerce/core/kernel/FieldErrors"
import { Effect, Layer, Schema, Stream } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import type { AdminCaller } from "../middleware/Callers.ts"
import { takeKeyCap } from "../middleware/Limits.ts"
import { RequestInvalid } from "../middleware/Refusals.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { HandlerSettings } from "../middleware/Settings.ts"
import { asAdmin, asCustomer, onChannel } from "../middleware/Surfaces.ts"
import { type Form, readFile, readForm } from "./readForm.ts"
import { MediaGroup, UploadsGroup } from "./MediaApi.ts"

/** How many files one admin key may have fetched from other addresses. */
const ingestCap = { route: "POST /v1/media by URL", limit: 20, ms: 300_000 }

/** Texts beside the file; every body below /v1 may name its store. */
const formTexts = ["sourceUrl", "name", "alt", "storeId"]

const isSourceUrl = Schema.is(MediaSourceUrl)

const refuse = (errors: Readonly<Record<string, string>>) => Effect.fail(new RequestInvalid({ errors }))

/** The texts of a form; an empty one counts as absent. */
const textsOf = ({ texts }: Form): MediaTexts =>
  Object.fromEntries(
    (["name", "alt"] as const).flatMap((field) => {
      const given = texts.get(field) ?? ""
      return given === "" ? [] : [[field, given]]
    })
  )

const fileProblem = "send either a file or a sourceUrl"

const media = endpointsOf(
  MediaGroup,
  Effect.fnUntraced(function* (handlers) {
    const assets = yield* MediaAssets
    const limits = yield* RateLimits
    const settings = yield* HandlerSettings

    const ingest = Effect.fnUntraced(function* ({ store, keyId }: AdminCaller["Service"], body: MediaIngest) {
      yield* takeKeyCap(limits, settings, { ...ingestCap, keyId })
      return yield* assets.ingest(store, body)
    })

    const upload = Effect.fnUntraced(function* (caller: AdminCaller["Service"], form: Form) {
      const sourceUrl = form.texts.get("sourceUrl") ?? ""
      const texts = textsOf(form)
      const errors = problemsOf({
        file: (form.file === undefined) === (sourceUrl === "") ? fileProblem : undefined,
        sourceUrl: sourceUrl === "" || isSourceUrl(sourceUrl) ? undefined : "is longer than an address",
        name: longProblem(texts.name, mediaTextLength.name),
        alt: longProblem(texts.alt, mediaTextLength.alt)
      })
      if (Object.keys(errors).length > 0) return yield* refuse(errors)
      return yield* form.file === undefined
        ? ingest(caller, { sourceUrl, ...texts })
        : assets.upload(caller.store, form.file, texts)
    })

    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) => paged(query, (page) => assets.list(store, query.search, page))),
      create: asAdmin((caller, { payload }) =>
        Stream.isStream(payload)
          ? Effect.flatMap(readForm(payload, formTexts), (form) => upload(caller, form))
          : ingest(caller, payload)
      ),
      get: asAdmin(({ store }, { params }) => assets.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => assets.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(assets.remove(store, params.id)))
    })
  })
)

const uploads = endpointsOf(
  UploadsGroup,
  Effect.fnUntraced(function* (handlers) {
    const files = yield* UploadedFiles
    const products = yield* Products
    return handlers.handleAll({
      customization: onChannel(({ store }, { payload }) =>
        Effect.flatMap(readFile(payload), (file) =>
          files.add(store, { ...file, purpose: "customization", ownerId: null })
        )
      ),
      reviewPhoto: asCustomer(({ store, channel, customer }, { params, payload }) =>
        Effect.gen(function* () {
          yield* products.get(store, { id: params.productId }, "storefront", { channelId: channel.id })
          const file = yield* readFile(payload)
          return yield* files.add(store, { ...file, purpose: "review_photo", ownerId: customer.id })
        })
      )
    })
  })
)

export const mediaEndpoints = Layer.merge(media, uploads)

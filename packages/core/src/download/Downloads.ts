/**
 * Files that shoppers have bought: the list with its links, and the file that a link opens. A link counts once, when it
 * is first used: what resumes it, or asks only for its head, does not count.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomHex } from "../crypto/Hashing.ts"
import { Database } from "../database/Database.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { isWebAddress } from "../kernel/FileAddress.ts"
import type { Page } from "../kernel/Pagination.ts"
import { SignedLinks } from "../link/SignedLinks.ts"
import { type ByteRange, ObjectStore } from "../media/ObjectStore.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { DownloadLinkInvalid } from "./DownloadErrors.ts"
import { type DownloadView, expiryOf, mostListedFiles } from "./DownloadGrants.ts"
import { type BoughtFile, DownloadRepository, type LinkedFile } from "./DownloadRepository.ts"

/** How long a link works, in milliseconds. */
const linkMillis = 86_400_000

/** A file as it is fetched: at another address, or from the storage. */
export type OpenedFile =
  | { readonly at: "address"; readonly url: string }
  | {
      readonly at: "storage"
      readonly key: string
      readonly name: string
      readonly mimeType: string
      readonly size: number
    }

const anyType = "application/octet-stream"
const typePattern = /^[\w.+-]{1,63}\/[\w.+-]{1,63}$/

/** The key in the store's own part of the storage: a product can name no other store's file. */
const keyOf = (storeId: string, storageKey: string): string =>
  storageKey.startsWith(`${storeId}/`) ? storageKey : `${storeId}/${storageKey}`

/** The number in `#1001` or `1001`; 0, which no order has, for anything else. */
const numberOf = (text: string): bigint => BigInt(/^#?(\d{1,18})$/.exec(text.trim())?.[1] ?? 0)

export class Downloads extends Context.Service<Downloads>()("@effect-commerce/core/download/Downloads", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* DownloadRepository
    const links = yield* SignedLinks
    const objects = yield* ObjectStore
    const stores = yield* Stores

    const shown = Effect.fnUntraced(function* (store: StoreContext, files: ReadonlyArray<BoughtFile>) {
      const now = yield* Clock.currentTimeMillis
      const address = yield* links.current
      return files.map((file): DownloadView => {
        const { orderId, itemId, position, productName, fileName, used, downloadLimit, paidAt, expiryDays } = file
        const expiresAt = expiryOf(paidAt, expiryDays)
        const until = Math.min(now + linkMillis, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY)
        const isOver = until <= now || (downloadLimit !== null && used >= downloadLimit)
        const parts = [store.id, orderId, itemId, String(position), randomHex("", 12)]
        return {
          productName,
          fileName,
          downloadUrl: isOver ? null : `${address}/downloads/${links.sign("download", parts, until)}`,
          downloadsUsed: used,
          downloadLimit,
          expiresAt: expiresAt?.toISOString() ?? null
        }
      })
    })

    /** Counts the link unless it has been. Of two requests with one link, one counts and both get the file. */
    const counted = Effect.fnUntraced(function* (storeId: string, file: LinkedFile, now: Date) {
      const one = yield* database.write(storeId)(repository.count(storeId, file, now))
      if (one !== undefined) return
      if ((yield* repository.find(storeId, file, now))?.isCounted !== true) return yield* new DownloadLinkInvalid()
    })

    /**
     * The file that a link opens. `counts`: whether the request takes the file, and does not only ask about it. A file
     * that is not there is not counted.
     */
    const open = Effect.fn("Downloads.open")(function* (token: string, counts: boolean) {
      const now = yield* Clock.currentTimeMillis
      const read = links.read("download", token, now)
      const [storeId = "", orderId = "", itemId = "", position = "", link = ""] = read?.parts ?? []
      if (read === undefined) return yield* new DownloadLinkInvalid()
      const store = yield* Effect.mapError(stores.context(storeId), () => new DownloadLinkInvalid())
      const linked = { orderId, itemId, position: Number(position), link, until: read.expiresAt / 1_000 }
      const file = yield* repository.find(storeId, linked, new Date(now))
      if (file === undefined || store.suspended) return yield* new DownloadLinkInvalid()
      const opened = yield* locate(storeId, file)
      if (counts && !file.isCounted) yield* counted(storeId, linked, new Date(now))
      return opened
    })

    const locate = Effect.fnUntraced(function* (
      storeId: string,
      file: { readonly url: string | null; readonly storageKey: string | null } & {
        readonly fileName: string
        readonly mimeType: string | null
      }
    ) {
      const { url, storageKey, fileName: name, mimeType } = file
      if (storageKey === null) {
        if (url === null || !isWebAddress(url)) return yield* new DownloadLinkInvalid()
        return { at: "address", url } as OpenedFile
      }
      const key = keyOf(storeId, storageKey)
      const found = yield* objects
        .head(key)
        .pipe(
          Effect.catch((error) =>
            Effect.as(Effect.logError("A file that was bought cannot be read from the storage", error), undefined)
          )
        )
      if (found === undefined) return yield* new DownloadLinkInvalid()
      const type = mimeType !== null && typePattern.test(mimeType) ? mimeType : anyType
      return { at: "storage", key, name, mimeType: type, size: found.size } as OpenedFile
    })

    return {
      /** The files of a guest's order; none where the number or the address is not the order's. */
      ofGuest: (store: StoreContext, channelId: string, orderNumber: string, email: string) =>
        Effect.flatMap(
          repository.page(
            store.id,
            { orderNumber: numberOf(orderNumber), email: normaliseEmail(email), channelId },
            { page: 1, limit: mostListedFiles }
          ),
          ({ items }) => shown(store, items)
        ),
      /** A page of a customer's files, of the newest order first. */
      ofCustomer: (store: StoreContext, customerId: string, page: Page) =>
        Effect.flatMap(repository.page(store.id, { customerId }, page), ({ items, total }) =>
          Effect.map(shown(store, items), (files) => ({ items: files, total }))
        ),
      open,
      content: (key: string, range?: ByteRange) => objects.get(key, range)
    }
  })
}) {
  static readonly layer = Layer.effect(Downloads, Downloads.make).pipe(Layer.provide(DownloadRepository.layer))
}

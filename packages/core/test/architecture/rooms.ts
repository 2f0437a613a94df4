/**
 * The rooms of core, lowest first: a room may import rooms of earlier levels only, never one of its own level. The same
 * list is drawn in docs/architecture.md.
 */
export const levels: ReadonlyArray<ReadonlyArray<string>> = [
  ["kernel"],
  ["body", "cache", "crypto", "image", "zone"],
  ["database"],
  ["embedded", "migration", "outbox", "guard"],
  ["host", "outbound", "replica"],
  ["store"],
  ["identity", "media", "template", "emaildomain", "quota"],
  ["taxonomy", "customer", "tax", "shipping", "payment", "emailsetting", "link", "smtp"],
  ["metafield", "charge", "testpayment", "stripe", "emaillink", "team", "oauth"],
  ["modifier", "notice"],
  ["product"],
  ["inventory", "storefront"],
  ["pricing"],
  ["claim"],
  ["redemption"],
  ["coupon", "promotion", "giftcard", "loyalty", "offer", "checkoutfield", "fx"],
  ["newsletter", "explanation"],
  ["cart", "download"],
  ["order"],
  [
    "settlement",
    "orderentry",
    "quickorder",
    "orderlink",
    "invoice",
    "export",
    "fulfilment",
    "orderlabel",
    "orderbooks"
  ],
  ["checkout", "review", "erasure", "refund"],
  ["completion", "cancellation", "draftorder", "quotation"],
  ["orderedit"],
  ["webhook", "app", "sync"],
  ["email", "listener"],
  ["audit", "abandonment", "transfer"]
]

/**
 * `testing` and `testservers` are public and use any room, `emulation` stands for other companies' servers; no room uses
 * them.
 */
export const besideTheRooms: ReadonlyArray<string> = ["testing", "testservers", "emulation"]

/**
 * What stands on what in the handler, lowest first: `errors` are the rows `<room>Errors.ts`, which every room may
 * declare; `rooms` stand in the order of core; `roots` are the files beside the folders.
 */
export const handlerFloors: ReadonlyArray<string> = [
  "middleware",
  "errors",
  "rooms",
  "system",
  "adapters",
  "roots",
  "testing"
]

export interface Exception {
  readonly from: string
  readonly to: string
  readonly because: string
}

/** Repositories used outside their room. Each must be in use, or it goes. */
export const sharedRepositories: ReadonlyArray<Exception> = [
  {
    from: "packages/core/src/listener/internal/handOver.ts",
    to: "packages/core/src/webhook/EventRepository.ts",
    because: "functions of a host read the feed as EventFeed does, by the position in it instead of an event's id"
  },
  {
    from: "packages/core/src/draftorder/DraftCheckouts.ts",
    to: "packages/core/src/checkout/CheckoutRepository.ts",
    because: "a checkout is locked and written by the statements of its own room; the draft that it pays is above it"
  },
  {
    from: "packages/core/src/draftorder/DraftCheckouts.ts",
    to: "packages/core/src/checkout/CheckoutPaymentRepository.ts",
    because: "as CheckoutRepository: a payment that waits for the shopper is given up before its checkout is cancelled"
  },
  {
    from: "packages/core/src/draftorder/DraftCheckouts.ts",
    to: "packages/core/src/cart/CartRepository.ts",
    because: "the checkout of a draft has an empty cart of its own, because what locks a checkout locks its cart first"
  },
  {
    from: "packages/core/src/completion/ChargedCompletion.ts",
    to: "packages/core/src/checkout/CheckoutPaymentRepository.ts",
    because:
      "a checkout is locked, priced and closed by the statements of its own room; completing it is the room above"
  },
  {
    from: "packages/core/src/completion/AwaitedPayments.ts",
    to: "packages/core/src/checkout/CheckoutRepository.ts",
    because:
      "a checkout is locked, priced and closed by the statements of its own room; completing it is the room above"
  },
  {
    from: "packages/core/src/completion/Completion.ts",
    to: "packages/core/src/checkout/CheckoutRepository.ts",
    because:
      "a checkout is locked, priced and closed by the statements of its own room; completing it is the room above"
  },
  {
    from: "packages/core/src/completion/Completion.ts",
    to: "packages/core/src/checkout/CheckoutPaymentRepository.ts",
    because:
      "a checkout is locked, priced and closed by the statements of its own room; completing it is the room above"
  },
  {
    from: "packages/core/src/completion/PaymentOutcomes.ts",
    to: "packages/core/src/checkout/CheckoutPaymentRepository.ts",
    because:
      "a checkout is locked, priced and closed by the statements of its own room; completing it is the room above"
  },
  {
    from: "packages/core/src/completion/PaymentOutcomes.ts",
    to: "packages/core/src/checkout/CheckoutRepository.ts",
    because:
      "a checkout is locked, priced and closed by the statements of its own room; completing it is the room above"
  },
  {
    from: "packages/core/src/completion/SimulatedNotices.ts",
    to: "packages/core/src/checkout/CheckoutRepository.ts",
    because:
      "a checkout is locked, priced and closed by the statements of its own room; completing it is the room above"
  },
  {
    from: "packages/core/src/settlement/OrderMoney.ts",
    to: "packages/core/src/order/OrderRepository.ts",
    because: "sums and states are computed from the order as it is stored, read under the lock of its row"
  },
  {
    from: "packages/core/src/settlement/OrderMoney.ts",
    to: "packages/core/src/order/OrderMoneyRepository.ts",
    because: "the rows of an order are written by its own room alone, also those that follow from its money"
  },
  {
    from: "packages/core/src/orderlink/LinkedOrders.ts",
    to: "packages/core/src/order/OrderRepository.ts",
    because: "the event of a linked order carries the order as it is stored, in the transaction that links it"
  },
  {
    from: "packages/core/src/invoice/Invoices.ts",
    to: "packages/core/src/order/OrderRepository.ts",
    because: "an invoice prints the order as it is stored, of which the views show only parts"
  },
  {
    from: "packages/core/src/refund/RefundOutcomes.ts",
    to: "packages/core/src/order/OrderRepository.ts",
    because: "as OrderMoney.ts: what a refund changes is computed from the order as it is stored, under its lock"
  },
  {
    from: "packages/core/src/refund/Refunds.ts",
    to: "packages/core/src/order/OrderMoneyRepository.ts",
    because: "money of a payment is set aside for a refund by the statement of the payment's own room"
  },
  {
    from: "packages/core/src/checkout/Checkouts.ts",
    to: "packages/core/src/cart/CartRepository.ts",
    because: "a checkout locks the cart it is made from in its own transaction; the lock order is cart before checkout"
  },
  {
    from: "packages/core/src/cart/CartLines.ts",
    to: "packages/core/src/pricing/SellableRepository.ts",
    because: "the product of a line that is added is read beside its cart, in the same round trip"
  },
  {
    from: "packages/core/src/cart/Carts.ts",
    to: "packages/core/src/pricing/SellableRepository.ts",
    because: "as CartLines.ts, whose use cases are part of its service: its layer provides the repository"
  },
  {
    from: "packages/core/src/orderentry/OrderEntry.ts",
    to: "packages/core/src/pricing/SellableRepository.ts",
    because: "the sellable rows of an order's lines are read in one statement, whatever their number"
  },
  {
    from: "packages/core/src/quickorder/StorefrontOrders.ts",
    to: "packages/core/src/pricing/SellableRepository.ts",
    because: "as OrderEntry.ts: the lines of a shopper's order are read in one statement"
  },
  {
    from: "packages/core/src/quotation/ShippingQuotes.ts",
    to: "packages/core/src/pricing/SellableRepository.ts",
    because: "as OrderEntry.ts: the products of a quote are read in one statement"
  },
  {
    from: "packages/core/src/quotation/TaxQuotes.ts",
    to: "packages/core/src/pricing/SellableRepository.ts",
    because: "as OrderEntry.ts: the products of a quote are read in one statement"
  },
  {
    from: "packages/core/src/quickorder/StorefrontOrders.ts",
    to: "packages/core/src/order/OrderRepository.ts",
    because: "whether an order is its reader's is judged by what is stored, of which the views show only parts"
  }
]

/**
 * Rooms whose every file may hold SQL: they stand beneath every room that has tables of a merchant's, and each of their
 * services is the few statements of one table of the platform's, or the way to the database itself.
 */
export const sqlRooms: ReadonlyArray<string> = ["database", "migration", "outbox", "guard", "testing", "testservers"]

/** Rooms that may import a PostgreSQL driver: each of them opens sessions of its own kind. */
export const driverRooms: ReadonlyArray<string> = ["database", "embedded", "migration", "testing", "testservers"]

/** Files that write SQL although their name does not say so. Each must be in use, or it goes. */
export const sqlElsewhere: ReadonlyArray<{ readonly path: string; readonly because: string }> = [
  {
    path: "packages/core/src/cart/CartUploads.ts",
    because: "it is the one statement of the room's answer to media/UploadUses, which CommerceCore collects"
  },
  {
    path: "packages/core/src/checkout/CheckoutUploads.ts",
    because: "as cart/CartUploads.ts"
  },
  {
    path: "packages/core/src/order/OrderUploads.ts",
    because: "as cart/CartUploads.ts"
  },
  {
    path: "packages/core/src/taxonomy/TaxonomyColumns.ts",
    because: "it is the part that statements share which read what a channel shows"
  },
  {
    path: "packages/core/src/metafield/MetafieldColumns.ts",
    because: "it is the part of the statements that create products which gives them the values they begin with"
  },
  {
    path: "packages/core/src/taxonomy/ClearedPictures.ts",
    because: "categories, brands, options and modifiers drop a deleted file by the same two statements"
  },
  {
    path: "packages/core/src/storefront/internal/facetCounts.ts",
    because: "it is the part of a list's statement that counts what the list can be narrowed by"
  },
  {
    path: "packages/core/src/storefront/internal/facetFilters.ts",
    because: "as listingConditions.ts: filters that are counted apart from one another"
  },
  {
    path: "packages/core/src/storefront/internal/shownCategories.ts",
    because: "it is the part of a list's statement that finds which categories a channel shows"
  },
  {
    path: "packages/core/src/storefront/internal/storeState.ts",
    because: "it is the part of a reading's statement that says what holds for the whole store"
  },
  {
    path: "packages/core/src/storefront/internal/shownRows.ts",
    because: "it is the part of a reading's statement that returns documents with their stock and links"
  },
  {
    path: "packages/core/src/storefront/internal/listingNow.ts",
    because: "as listingConditions.ts: what a listing row says together with the time"
  },
  {
    path: "packages/core/src/storefront/internal/recommended.ts",
    because: "it is the part of a list's statement that finds what goes with products"
  },
  {
    path: "packages/core/src/storefront/internal/foundIds.ts",
    because: "as listingConditions.ts: the order of a list, and the places of what a search finds"
  },
  {
    path: "packages/core/src/storefront/internal/searchConditions.ts",
    because: "as listingConditions.ts: what a search asks of a listing row"
  },
  {
    path: "packages/core/src/inventory/StockLedger.ts",
    because:
      "it is the one writer of stock for sales: what judges and writes is read in one place, and nothing may call its statements apart"
  },
  {
    path: "packages/core/src/product/KitParts.ts",
    because: "it is the part of a statement that products, stock and lines share: what a kit is made of, as it is now"
  },
  {
    path: "packages/core/src/inventory/internal/stockEvents.ts",
    because: "it is the part of every statement that changes stock which tells of the change"
  },
  {
    path: "packages/core/src/download/SoldDownloads.ts",
    because: "it is the part of the statements of orders that copies the files of what is sold, and reads them back"
  },
  {
    path: "packages/core/src/offer/OfferedRows.ts",
    because: "it is the part of the statements of BundleOfferRepository that reads what an offer offers"
  },
  {
    path: "packages/core/src/pricing/Sellable.ts",
    because:
      "it is the part of a statement that carts, checkouts and orders share: each embeds it beside a predicate of its own"
  }
]

/** Lines of a file, and of a room of core with all its files. */
export const mostFileLines = 300
export const mostRoomLines = 2_500

/** Files of more lines, and how many each may have: what it has today. Each must be in use, or it goes. */
export const longFiles: Readonly<Record<string, number>> = {
  "packages/cli/src/demo/departments.ts": 360,
  "packages/cli/src/demo/german.ts": 326
}

/** Rooms of more lines, and how many each may have: what it has today. Each must be in use, or it goes. */
export const largeRooms: Readonly<Record<string, number>> = {
  product: 5_417,
  storefront: 3_597
}

/** Files with a function of more than 60 lines. Each must be in use, or it goes. */
export const longFunctions: ReadonlyArray<{ readonly path: string; readonly because: string }> = [
  {
    path: "packages/core/src/product/productViews.ts",
    because: "one object literal has a line for each field of the answer"
  },
  {
    path: "packages/core/src/order/OrderView.ts",
    because: "as productViews.ts"
  },
  {
    path: "packages/core/src/template/internal/shopperMails.ts",
    because: "one object literal has the words of each mail, in every language"
  },
  {
    path: "packages/core/src/template/internal/orderMails.ts",
    because: "as shopperMails.ts"
  },
  {
    path: "packages/core/src/template/internal/merchantMails.ts",
    because: "as shopperMails.ts"
  },
  {
    path: "packages/core/src/template/internal/teamMails.ts",
    because: "as shopperMails.ts"
  }
]

/** Files with lines of more than 120 columns. Each must be in use, or it goes. */
export const longLines: ReadonlyArray<{ readonly path: string; readonly because: string }> = [
  {
    path: "packages/core/src/kernel/internal/subdivisionTable.ts",
    because: "it is a generated table: a line for each country"
  },
  {
    path: "packages/handler/src/system/samples/recordedSamples.ts",
    because: "it is generated: a line for each operation, with what was sent and answered"
  },
  {
    path: "packages/core/src/template/internal/mailBlocks.ts",
    because: "it is the HTML of mails, in which a line break would be sent"
  },
  {
    path: "packages/core/src/template/internal/mailLayout.ts",
    because: "as mailBlocks.ts"
  },
  {
    path: "packages/core/src/template/internal/orderTable.ts",
    because: "as mailBlocks.ts"
  },
  ...[
    "accessories",
    "bathroom",
    "camping",
    "cookware",
    "furnishing",
    "games",
    "garments",
    "hiking",
    "lighting",
    "paints",
    "pen",
    "scene",
    "stationery",
    "tableware"
  ].map((name) => ({
    path: `packages/cli/src/demo/drawings/${name}.ts`,
    because: "its lines are paths of a drawing"
  }))
]

/** Where `node:` modules may be imported in core; everything else runs in a browser or a worker too. */
export const nodeFolders: ReadonlyArray<string> = [
  "packages/core/src/database/",
  "packages/core/src/embedded/",
  "packages/core/src/migration/",
  "packages/core/src/image/",
  "packages/core/src/crypto/",
  "packages/core/src/outbound/",
  "packages/core/src/identity/internal/",
  "packages/core/src/media/",
  "packages/core/src/email/",
  "packages/core/src/emaildomain/",
  "packages/core/src/emulation/",
  "packages/core/src/payment/",
  "packages/core/src/testing/",
  "packages/core/src/testservers/"
]

/**
 * A table is owned by the room that its migration is named after: `0011_taxonomy.sql` makes tables of taxonomy. These
 * are not: each must differ from that, or it goes.
 */
export const ownedElsewhere: Readonly<Record<string, string>> = {
  commerce_migration: "migration",
  email_settings: "emailsetting",
  order_note: "orderedit",
  email_template: "template",
  dashboard_user: "team",
  provider_operation: "charge",
  test_charge: "testpayment"
}

/** Tables that another room writes too. Each must be in use, or it goes. */
export const writtenElsewhere: ReadonlyArray<{
  readonly table: string
  readonly room: string
  readonly because: string
}> = [
  {
    table: "orders",
    room: "orderlink",
    because: "whose an order is changes with the proof of a mailbox, which is a subject of its own: one statement"
  },
  {
    table: "cart",
    room: "erasure",
    because: "what a deleted customer had begun to buy ends in one place, under the locks of all of it"
  },
  {
    table: "cart_item",
    room: "erasure",
    because: "as cart"
  },
  {
    table: "checkout",
    room: "erasure",
    because: "as cart"
  },
  {
    table: "checkout_line",
    room: "erasure",
    because: "as cart"
  },
  {
    table: "product",
    room: "tax",
    because: "a tax class that is deleted is removed from deleted products, which would keep it for ever"
  },
  {
    table: "product",
    room: "shipping",
    because: "a shipping class that is deleted is removed from deleted products, as in the tax room"
  },
  {
    table: "product_variant",
    room: "shipping",
    because: "as product: variants have shipping classes of their own"
  },
  {
    table: "product_modifier_group",
    room: "modifier",
    because: "a modifier group that is deleted is removed from deleted products, as a tax class is in the tax room"
  },
  {
    table: "cart",
    room: "checkout",
    because: "completing a checkout marks its cart as CONVERTED in the statement that completes the checkout"
  },
  {
    table: "cart",
    room: "abandonment",
    because: "carts and checkouts that nobody touches any more are ended by one worker, a few rows of a store at a time"
  },
  {
    table: "checkout",
    room: "abandonment",
    because: "as cart"
  },
  {
    table: "cart_item",
    room: "checkout",
    because: "completing a part of a cart removes the bought lines in the same statement"
  },
  {
    table: "event",
    room: "inventory",
    because: "each statement that changes stock writes the event of it, because only that statement knows what changed"
  },
  {
    table: "event",
    room: "webhook",
    because: "events that have been delivered and are past their time are removed with their deliveries"
  }
]

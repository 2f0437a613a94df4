/**
 * Why each code is answered and what the caller can do about it: the text of docs/errors.md. A code without an
 * explanation is a type error.
 */
import type { Code } from "./Codes.ts"

export interface CodeExplanation {
  readonly cause: string
  readonly remedy: string
}

const unbuilt = "Belongs to a part of the interface that is being built."
const notYet = "Nothing to do: this version does not answer it."
const fixTheRequest = "Mend what the message and `details` name, and send it again."
const lookItUp =
  "Check the id and that key, channel and store in the path are the right ones. An id of another store looks like " +
  "one that is not there."

const requests = {
  BAD_REQUEST: {
    cause: "The request is well formed and cannot be meant, such as a gift card that cannot be used.",
    remedy: fixTheRequest
  },
  VALIDATION_FAILED: {
    cause: "A field, a parameter or the body has the wrong form.",
    remedy: "`message` and `details.errors` name each field and what it must be."
  },
  MISSING_REQUIRED_FIELDS: {
    cause: "Something that the operation needs is absent, such as a shopper's address or the Idempotency-Key.",
    remedy: "Send what the message names first."
  },
  STORE_ID_REQUIRED: {
    cause: "The key works for every store of an account, and the request names none.",
    remedy: "Add `storeId` to the query, or use a key of one store."
  },
  STORE_ID_MISMATCH: {
    cause: "`storeId` names another store than the key works for, or query and body name two.",
    remedy: "Leave `storeId` out with a key of one store; else name one store."
  },
  INVALID_STOCK_VALUE: {
    cause: "A stock figure is negative, not whole, or below what is reserved.",
    remedy: "Send a whole number of at least what is reserved."
  },
  PLATFORMS_REQUIRED: {
    cause: "A product was to be published and nothing was named to publish it to.",
    remedy: "Send `salesChannelIds` or `platforms` with at least one entry."
  },
  PLATFORM_REQUIRED: { cause: unbuilt, remedy: notYet },
  RESOLUTION_REQUIRED: {
    cause: "A conflict cannot be resolved without saying how.",
    remedy: "Send `resolution` with one of the words that the route names."
  },
  TYPE_REQUIRED: { cause: unbuilt, remedy: notYet },
  DEVICE_AUTH_ALREADY_DECIDED: { cause: unbuilt, remedy: notYet },
  IDEMPOTENCY_KEY_NOT_SUPPORTED: {
    cause: "An Idempotency-Key came with a request that only reads.",
    remedy: "Leave the header out of GET requests."
  },
  METHOD_NOT_ALLOWED: {
    cause: "The path exists, with other methods.",
    remedy: "Use a method of the `Allow` header; `/api/docs` shows them."
  },
  PAYLOAD_TOO_LARGE: {
    cause: "The body is larger than the route takes.",
    remedy: "Send less at once: in several calls, or metadata and notes shortened."
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: "The body is not declared as JSON, or, where files are uploaded, as a form.",
    remedy: "Send `Content-Type: application/json`, or `multipart/form-data` where a file is uploaded."
  }
} as const

const callers = {
  UNAUTHORIZED: {
    cause:
      "The key, token or sales channel is missing, unknown, revoked or expired, or the page's origin is not the " +
      "channel's domain.",
    remedy:
      "Send `Authorization: Bearer svc_…`; from a browser register the domain with `commerce channel update`. A lost " +
      "key cannot be shown again: `commerce keys create` makes another."
  },
  SESSION_EXPIRED: { cause: unbuilt, remedy: notYet },
  PLAN_LIMIT_REACHED: {
    cause: "The operator of the server lets the store keep no more; `details` says of what, and how much there is.",
    remedy: "Delete files that are not used, or ask the operator for more (`commerce store quota`)."
  },
  PLAN_ORDERS_EXHAUSTED: { cause: unbuilt, remedy: notYet },
  PLAN_AI_CREDITS_EXHAUSTED: { cause: unbuilt, remedy: notYet },
  PLAN_FEATURE_REQUIRED: { cause: unbuilt, remedy: notYet },
  INSUFFICIENT_SCOPE: {
    cause: "The key lacks the scope of this route; `details` names it.",
    remedy: "Make a key with that scope: `commerce keys create --scope …`."
  },
  INSUFFICIENT_PERMISSION: {
    cause:
      "The caller is known and may not do this here, such as through a sales channel that has this part switched off.",
    remedy: "Switch the part on with `commerce channel update vc_… --enable …`, or call with an admin key."
  },
  STORE_SUSPENDED: {
    cause: "The operator has suspended the store.",
    remedy: "`commerce store resume store_…` ends the suspension."
  },
  RATE_LIMITED: {
    cause:
      "An address, a key, an account or a route had more requests than its window holds; `details.scope` says which.",
    remedy:
      "Wait for `Retry-After` seconds. A storefront that renders on a server calls for all of its shoppers from one " +
      "address: raise `COMMERCE_RATE_LIMIT_PER_MINUTE`, and list proxies in `COMMERCE_TRUSTED_PROXIES`."
  }
} as const

const absent = {
  RESOURCE_NOT_FOUND: { cause: "There is no such path or no such thing in this store.", remedy: lookItUp },
  PRODUCT_NOT_FOUND: { cause: "The store has no such product, or shoppers may not see it.", remedy: lookItUp },
  ORDER_NOT_FOUND: { cause: "The store has no such order, or it is another customer's.", remedy: lookItUp },
  CUSTOMER_NOT_FOUND: { cause: "The store has no such customer, or it was deleted.", remedy: lookItUp },
  COUPON_NOT_FOUND: { cause: "The store has no such coupon.", remedy: "Check the code as it was typed." },
  CHECKOUT_NOT_FOUND: {
    cause: "There is no such checkout, or it is another channel's or customer's.",
    remedy: "Begin a checkout from the cart again."
  }
} as const

const selling = {
  CART_LINE_LIMIT_REACHED: {
    cause: "The cart has as many lines as a storefront may make.",
    remedy: "Change quantities or remove lines; an admin key is not bounded so."
  },
  INSUFFICIENT_STOCK: {
    cause: "Fewer units are left than asked for.",
    remedy: "Offer the shopper `details.available`."
  },
  PRODUCT_UNAVAILABLE: {
    cause: "A line's product is not for sale any more.",
    remedy: "Remove the lines in `details.items`."
  },
  PRICE_DRIFT: {
    cause: "Prices have changed since the shopper saw them.",
    remedy: "Show `details.items`, then `POST …/cart/{id}/refresh-snapshots`."
  },
  MODIFIER_VALIDATION_FAILED: {
    cause:
      "The modifiers of a line do not fit the groups of its product, or do not any more: one is unknown, sold out " +
      "or named twice, or too few or too many are chosen of a group.",
    remedy:
      "`details.errors` says what is wrong with which group and modifier; have the shopper choose again, with a " +
      "PATCH of the cart's item."
  },
  CONFLICT: {
    cause:
      "It contradicts what is there: a name that is taken, a row that has changed since it was read, a cart that is " +
      "being bought.",
    remedy: "Read it again and decide anew; `details.reason` says which where there are several."
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: "The same Idempotency-Key came with another request.",
    remedy: "Use a new key for each new intent, and the same key only for a retry."
  },
  ALREADY_INSTALLED: { cause: unbuilt, remedy: notYet },
  COUPON_USAGE_LIMIT_REACHED: { cause: unbuilt, remedy: notYet },
  COUPON_PER_CUSTOMER_LIMIT_REACHED: { cause: unbuilt, remedy: notYet },
  COUPON_EXPIRED: { cause: unbuilt, remedy: notYet },
  COUPON_NOT_ACTIVE: { cause: unbuilt, remedy: notYet },
  OUT_OF_STOCK: {
    cause: "Somebody else bought the last units at this moment.",
    remedy: "Tell the shopper, and offer what is left."
  },
  RESERVATION_EXPIRED: {
    cause: "The time of this checkout or reservation has passed.",
    remedy: "Begin a checkout from the cart again."
  },
  ORDER_INVALID_STATE: {
    cause: "The order is in a state that does not allow this.",
    remedy: "Read the order: `status`, `financialStatus` and `fulfillmentStatus` say where it is."
  },
  PAYMENT_ALREADY_CAPTURED: { cause: "Nothing is left to pay for this order.", remedy: "Nothing to do: it is paid." },
  CARD_DECLINED: {
    cause: "The payment provider declined, and nothing was charged.",
    remedy: "Let the shopper choose another way to pay; the checkout stays open."
  },
  BUSINESS_RULE_VIOLATION: {
    cause: "The request is understood, and a rule of the store forbids it.",
    remedy: "`message` and `details` say which rule."
  }
} as const

const ours = {
  INTERNAL_SERVER_ERROR: {
    cause: "A failure of ours. Nothing is known to have been done.",
    remedy:
      "Search the log for the answer's `X-Request-Id`; report it with the version. A retry under the same " +
      "Idempotency-Key is safe."
  },
  PAYMENT_PROCESSING_ERROR: {
    cause: "The payment provider was asked and the outcome is not known yet.",
    remedy:
      "Do not charge again: retry with the same Idempotency-Key after `Retry-After`. Money that was taken ends in an " +
      "order or a refund."
  },
  REFUND_PROCESSING_ERROR: { cause: unbuilt, remedy: notYet },
  DOMAIN_REGISTRATION_FAILED: { cause: unbuilt, remedy: notYet },
  DOMAIN_VERIFICATION_FAILED: { cause: unbuilt, remedy: notYet },
  MEDIA_UPLOAD_FAILED: {
    cause: "The storage for files did not take the file, or none is set up. Nothing was added.",
    remedy: "Send it again later. For operators: the log names the cause, and `commerce doctor` tries the storage."
  },
  MEDIA_REPLACE_FAILED: { cause: unbuilt, remedy: notYet },
  AI_TOOL_FAILED: { cause: unbuilt, remedy: notYet },
  AI_PROCESSING_FAILED: { cause: unbuilt, remedy: notYet },
  NOT_IMPLEMENTED: { cause: unbuilt, remedy: notYet },
  PROVIDER_NOT_READY: { cause: unbuilt, remedy: notYet },
  PROVIDER_NOT_CONFIGURED: {
    cause: "The store has no such payment provider.",
    remedy: "Pay with `manual`, or in a test-mode channel with `test`."
  },
  SERVICE_TEMPORARILY_UNAVAILABLE: {
    cause:
      "The database does not answer, or the server is starting or stopping; or a search or list took too long, or " +
      "too many of the store are under way: the message says which. Nothing was done.",
    remedy:
      "Retry the same request after `Retry-After`; narrow a search that took too long. Where it lasts, `commerce " +
      "doctor` says what is wrong."
  },
  IDEMPOTENCY_LOCK_UNAVAILABLE: {
    cause: "The Idempotency-Key could not be claimed. No order was made and nothing was charged.",
    remedy: "Retry with the same key after a moment."
  }
} as const

export const codeExplanations: Readonly<Record<Code, CodeExplanation>> = {
  ...requests,
  ...callers,
  ...absent,
  ...selling,
  ...ours
}

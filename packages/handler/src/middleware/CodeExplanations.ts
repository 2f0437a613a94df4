/**
 * Why each code is returned and what the caller can do about it: the text of docs/errors.md. A code without an
 * explanation is a type error.
 */
import type { Code } from "./Codes.ts"

export interface CodeExplanation {
  readonly cause: string
  readonly remedy: string
}

const unbuilt = "Belongs to a part of the interface that is being built."
const notYet = "Nothing to do: this version does not return it."
const fixTheRequest = "Correct what the message and `details` name, and send it again."
const lookItUp =
  "Check the id and that key, channel and store in the path are the right ones. An id of another store looks like " +
  "one that is not there."

const requests = {
  BAD_REQUEST: {
    cause: "The request is well formed but not possible, such as a gift card that cannot be used.",
    remedy: fixTheRequest
  },
  VALIDATION_FAILED: {
    cause: "A field, a parameter or the body has the wrong form.",
    remedy: "`message` and `details.errors` name each field and what it must be."
  },
  MISSING_REQUIRED_FIELDS: {
    cause: "Something that the operation requires is missing, such as the shopper's address or the Idempotency-Key.",
    remedy: "Send what the message names first."
  },
  STORE_ID_REQUIRED: {
    cause: "The key is valid for every store of an account, and the request names none.",
    remedy: "Add `storeId` to the query, or use a key of one store."
  },
  STORE_ID_MISMATCH: {
    cause: "`storeId` is not the store of the key, or the query and the body name different stores.",
    remedy: "With a key of one store leave `storeId` out; otherwise name one store."
  },
  INVALID_STOCK_VALUE: {
    cause: "A stock quantity is negative, not a whole number, or below what is reserved.",
    remedy: "Send a whole number of at least what is reserved."
  },
  PLATFORMS_REQUIRED: {
    cause: "A request to publish a product names no channel or platform.",
    remedy: "Send `salesChannelIds` or `platforms` with at least one entry."
  },
  PLATFORM_REQUIRED: { cause: unbuilt, remedy: notYet },
  RESOLUTION_REQUIRED: {
    cause: "The request does not say how to resolve the conflict.",
    remedy: "Send `resolution` with one of the values that the route lists."
  },
  TYPE_REQUIRED: { cause: unbuilt, remedy: notYet },
  DEVICE_AUTH_ALREADY_DECIDED: { cause: unbuilt, remedy: notYet },
  IDEMPOTENCY_KEY_NOT_SUPPORTED: {
    cause: "A request that only reads has an Idempotency-Key.",
    remedy: "Leave the header out of GET requests."
  },
  METHOD_NOT_ALLOWED: {
    cause: "The path exists, but not with this method.",
    remedy: "Use a method of the `Allow` header; `/api/docs` shows them."
  },
  PAYLOAD_TOO_LARGE: {
    cause: "The body is larger than the route accepts.",
    remedy: "Send less: split it into several requests, or shorten metadata and notes."
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: "The `Content-Type` is not JSON, or for a file upload not a form.",
    remedy: "Send `Content-Type: application/json`, or `multipart/form-data` to upload a file."
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
  SESSION_EXPIRED: {
    cause: "The session of a person of the dashboard has ended: 30 days after the log-in, or seven days without use.",
    remedy: "Log in again with `POST /auth/login`."
  },
  PLAN_LIMIT_REACHED: {
    cause:
      "The store has reached a limit that the operator of the server has set; `details` names it and the current use.",
    remedy: "Delete what is not used, or ask the operator for more (`commerce store quota`)."
  },
  PLAN_ORDERS_EXHAUSTED: {
    cause:
      "The store has got as many orders in this calendar month (UTC) as the operator of the server allows; nothing " +
      "was charged. `details` says how many, and when the next month begins.",
    remedy: "Wait for the next month, or ask the operator for more (`commerce store quota`)."
  },
  PLAN_AI_CREDITS_EXHAUSTED: { cause: unbuilt, remedy: notYet },
  PLAN_FEATURE_REQUIRED: { cause: unbuilt, remedy: notYet },
  INSUFFICIENT_SCOPE: {
    cause: "The key lacks the scope of this route; `details` names it.",
    remedy: "Create a key with that scope: `commerce keys create --scope …`."
  },
  INSUFFICIENT_PERMISSION: {
    cause:
      "The caller is known but may not do this: the sales channel has this part switched off, the role of a person " +
      "of the dashboard does not include it, a session in a cookie came without its origin or its X-CSRF-Token, or " +
      "the token of an app is of another installation than the path names.",
    remedy:
      "Switch the part on with `commerce channel update vc_… --enable …`; ask an owner for another role; or send the " +
      "`csrfToken` from a page of the same origin. `details` and the message say which."
  },
  STORE_SUSPENDED: {
    cause: "The operator has suspended the store.",
    remedy: "`commerce store resume store_…` ends the suspension."
  },
  RATE_LIMITED: {
    cause:
      "Too many requests from an address, with a key, for an account, of an app or to a route; `details.scope` says " +
      "which.",
    remedy:
      "Wait for `Retry-After` seconds. A storefront that renders on a server calls for all of its shoppers from one " +
      "address: raise `COMMERCE_RATE_LIMIT_PER_MINUTE`, and list proxies in `COMMERCE_TRUSTED_PROXIES`."
  }
} as const

const absent = {
  RESOURCE_NOT_FOUND: { cause: "The path or the resource does not exist in this store.", remedy: lookItUp },
  PRODUCT_NOT_FOUND: { cause: "The product does not exist, or is hidden from shoppers.", remedy: lookItUp },
  ORDER_NOT_FOUND: { cause: "The order does not exist, or belongs to another customer.", remedy: lookItUp },
  CUSTOMER_NOT_FOUND: { cause: "The customer does not exist, or was deleted.", remedy: lookItUp },
  COUPON_NOT_FOUND: { cause: "The coupon does not exist.", remedy: "Check the code as it was typed." },
  CHECKOUT_NOT_FOUND: {
    cause: "The checkout does not exist, or belongs to another channel or customer.",
    remedy: "Create a new checkout from the cart."
  }
} as const

const selling = {
  CART_LINE_LIMIT_REACHED: {
    cause: "The cart has the largest number of lines that a storefront may add.",
    remedy: "Change quantities or remove lines; an admin key may add more."
  },
  INSUFFICIENT_STOCK: {
    cause: "Fewer units are available than the request needs.",
    remedy: "Offer the shopper `details.available`."
  },
  PRODUCT_UNAVAILABLE: {
    cause: "The product of a line can no longer be bought.",
    remedy: "Remove the lines in `details.items`."
  },
  PRICE_DRIFT: {
    cause: "Prices have changed since the shopper saw them.",
    remedy: "Show `details.items`, then `POST …/cart/{id}/refresh-snapshots`."
  },
  MODIFIER_VALIDATION_FAILED: {
    cause:
      "The modifiers of a line do not match the groups of its product: one is unknown, sold out or listed twice, or " +
      "too few or too many are chosen from a group.",
    remedy:
      "`details.errors` lists what is wrong by group and modifier. Let the shopper choose again, and PATCH the cart " +
      "item."
  },
  CONFLICT: {
    cause:
      "The request conflicts with the current state: a name is taken, the resource has changed since it was read, or " +
      "the cart is being bought.",
    remedy: "Read the resource again and decide anew; `details.reason` tells apart several causes."
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: "The Idempotency-Key was used for a different request.",
    remedy: "Use a new key for each operation, and the same key only for a retry."
  },
  ALREADY_INSTALLED: {
    cause: "The store has installed an app of this name.",
    remedy: "Use that installation, renew its token, or remove it first: `GET /v1/installations` lists them."
  },
  COUPON_USAGE_LIMIT_REACHED: {
    cause: "As many orders as the coupon allows have used it, or hold a use while they are paid.",
    remedy: "Order without the coupon, or raise its `usageLimit`."
  },
  COUPON_PER_CUSTOMER_LIMIT_REACHED: {
    cause: "This customer has used the coupon as often as one customer may; a guest cannot be counted.",
    remedy: "Order without the coupon; a guest signs in first."
  },
  COUPON_EXPIRED: {
    cause: "The coupon has ended: its `endsAt` has passed.",
    remedy: "Order without the coupon, or set a later `endsAt`."
  },
  COUPON_NOT_ACTIVE: {
    cause: "The coupon is disabled, or its `startsAt` is still to come.",
    remedy: "Order without the coupon, or enable it."
  },
  OUT_OF_STOCK: {
    cause: "Somebody else bought the last units in the meantime.",
    remedy: "Show it to the shopper, and offer what is left."
  },
  RESERVATION_EXPIRED: {
    cause: "The checkout or reservation has expired.",
    remedy: "Create a new checkout from the cart."
  },
  ORDER_INVALID_STATE: {
    cause: "The order is in a state that does not allow this.",
    remedy: "Read the order: see `status`, `financialStatus` and `fulfillmentStatus`."
  },
  PAYMENT_ALREADY_CAPTURED: { cause: "Nothing is left to pay for this order.", remedy: "Nothing to do: it is paid." },
  CARD_DECLINED: {
    cause: "The payment provider declined, and nothing was charged.",
    remedy: "Let the shopper choose another way to pay; the checkout stays open."
  },
  BUSINESS_RULE_VIOLATION: {
    cause: "A rule of the store does not allow the request.",
    remedy: "`message` and `details` say which rule."
  }
} as const

const ours = {
  INTERNAL_SERVER_ERROR: {
    cause: "The server failed. It is not known whether anything was done.",
    remedy:
      "Search the log for the `X-Request-Id` of the response, and report it with the version. A retry with the same " +
      "Idempotency-Key is safe."
  },
  PAYMENT_PROCESSING_ERROR: {
    cause: "The payment provider has the request, and its outcome is not known yet.",
    remedy:
      "Do not charge again: retry with the same Idempotency-Key after `Retry-After`. Money that was taken ends in an " +
      "order or a refund."
  },
  REFUND_PROCESSING_ERROR: {
    cause:
      "The payment provider could not give the money back: nothing was refunded. With `Retry-After`: how the refund " +
      "stands could not be read.",
    remedy:
      "`details.reason` is the provider's. Try again, or refund at the provider. With `Retry-After`: retry with the " +
      "same Idempotency-Key, which refunds nothing twice, or read the order's refunds."
  },
  DOMAIN_REGISTRATION_FAILED: { cause: unbuilt, remedy: notYet },
  DOMAIN_VERIFICATION_FAILED: {
    cause: "Name servers did not respond for the records of an e-mail domain, or with an error. Nothing was changed.",
    remedy: "Try again later. Check that the domain's name servers respond; for operators: the log names the cause."
  },
  MEDIA_UPLOAD_FAILED: {
    cause: "The file storage rejected the file, or none is set up. Nothing was added.",
    remedy: "Send it again later. For operators: the log names the cause, and `commerce doctor` tries the storage."
  },
  MEDIA_REPLACE_FAILED: { cause: unbuilt, remedy: notYet },
  AI_TOOL_FAILED: { cause: unbuilt, remedy: notYet },
  AI_PROCESSING_FAILED: { cause: unbuilt, remedy: notYet },
  NOT_IMPLEMENTED: {
    cause: "The interface names this route, and this server does not do what it is for.",
    remedy: "Do without it."
  },
  PROVIDER_NOT_READY: {
    cause:
      "The payment provider or login provider is set up, and cannot be reached or does not accept its credentials. " +
      "Nothing was charged and nothing stored.",
    remedy:
      "Retry after `Retry-After`; a sign-in begins again with `authorize`. If it persists, check the credentials: " +
      "`PATCH /v1/payment-providers/{id}` and `PATCH /v1/oauth-providers/{provider}` set new ones. For operators: " +
      "the log says why a sign-in failed."
  },
  PROVIDER_NOT_CONFIGURED: {
    cause:
      "The payment method is not set up for this store, or not for channels of this mode; or the login provider is " +
      "not set up, or is switched off.",
    remedy:
      "Pay by one of the checkout's `paymentMethods`. `POST /v1/payment-providers` sets up others; live credentials " +
      "serve live-mode channels, test credentials test-mode channels. Sign in by one of " +
      "`GET /vc/{salesChannelId}/customers/oauth/providers`; `POST /v1/oauth-providers` sets up others."
  },
  SERVICE_TEMPORARILY_UNAVAILABLE: {
    cause:
      "The database cannot be reached, the server is starting or stopping, a search or list took too long, too many " +
      "requests of the store are running, or the route has a limit of its own and the counters of limits cannot be " +
      "reached: the message says which. Nothing was done.",
    remedy:
      "Retry the same request after `Retry-After`; narrow a search that took too long. If it persists, `commerce " +
      "doctor` finds the cause."
  },
  IDEMPOTENCY_LOCK_UNAVAILABLE: {
    cause: "The Idempotency-Key could not be stored. No order was created and nothing was charged.",
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

/**
 * What `details` of an error holds, by its code, as JSON Schema: the API document shows it, so that a client that has
 * looked at `code` knows what it may read. A code that is not here has details of several kinds, or none.
 */
import { orderStatuses } from "@effect-commerce/core/order/Order"
import { modifierErrorCodes } from "@effect-commerce/core/modifier/LineModifiers"
import type { Code } from "./Codes.ts"

type Json = Readonly<Record<string, unknown>>

export interface CodeDetails {
  readonly properties: Readonly<Record<string, Json>>
  /** Properties that are always there; where one is, so is `details`. */
  readonly required?: ReadonlyArray<string>
}

const text = (description: string): Json => ({ type: "string", description })
const word = (description: string, words: ReadonlyArray<string>): Json => ({ type: "string", enum: words, description })
const count = (description: string): Json => ({ type: "integer", description })
const nullable = (description: string): Json => ({ type: ["string", "null"], description })

const listOf = (
  description: string,
  properties: Readonly<Record<string, Json>>,
  optional: ReadonlyArray<string> = []
) => ({
  type: "array",
  description,
  items: {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: true
  }
})

const fieldErrors: Json = {
  type: "object",
  additionalProperties: { type: "string" },
  description: "What is wrong, by the field: `items.0.quantity` is of the first item."
}

const product = {
  productId: text("The product."),
  variantId: nullable("The variant; null for a product without variants.")
}
const stock = {
  available: count("Units that can be sold."),
  requested: count("Units that were asked for.")
}

const askedProvider = {
  paymentMethod: text("The way to pay that was asked for."),
  provider: text("The login provider that was asked for.")
}

const ofRequests = {
  VALIDATION_FAILED: { properties: { errors: fieldErrors }, required: ["errors"] },
  MISSING_REQUIRED_FIELDS: {
    properties: { fields: { type: "array", items: { type: "string" }, description: "What is to be sent first." } },
    required: ["fields"]
  },
  INVALID_STOCK_VALUE: { properties: { errors: fieldErrors }, required: ["errors"] },
  PAYLOAD_TOO_LARGE: { properties: { maxBytes: count("Bytes that are accepted.") }, required: ["maxBytes"] },
  UNSUPPORTED_MEDIA_TYPE: { properties: { expected: text("The media type to send.") }, required: ["expected"] },
  RATE_LIMITED: {
    properties: {
      retryAfterSeconds: count("Seconds to wait."),
      limit: count("Requests that the window holds."),
      ttlMs: count("Length of the window in milliseconds."),
      scope: word("What is counted.", ["ip", "auth", "key", "account", "installation", "route"]),
      tier: text("Tier of the key or the app, where its requests are counted.")
    },
    required: ["retryAfterSeconds", "limit", "ttlMs", "scope"]
  }
} satisfies Partial<Record<Code, CodeDetails>>

const remedy = text("What can be done about it.")

const ofCredentials = {
  INSUFFICIENT_SCOPE: { properties: { required: text("The scope that the key lacks.") }, required: ["required"] },
  INSUFFICIENT_PERMISSION: { properties: { scope: text("The part of the sales channel that is switched off.") } },
  PLAN_LIMIT_REACHED: {
    properties: {
      limit: word("What is limited: files of the store, shoppers' uploads that nothing names, or products.", [
        "storage",
        "unclaimed",
        "products"
      ]),
      limitBytes: count("Bytes that may be kept, where files are limited."),
      usedBytes: count("Bytes that are kept, where files are limited."),
      most: count("Products that the store may have, where these are limited."),
      used: count("Products that it has, where these are limited."),
      remedy
    },
    required: ["limit", "remedy"]
  },
  PLAN_ORDERS_EXHAUSTED: {
    properties: {
      limit: word("What is limited.", ["ordersPerMonth"]),
      most: count("Orders that the store may get in a calendar month (UTC)."),
      used: count("Orders of this month, with those that are being paid for."),
      resetsAt: { ...text("When the next month begins."), format: "date-time" },
      remedy
    },
    required: ["limit", "most", "used", "resetsAt", "remedy"]
  }
} satisfies Partial<Record<Code, CodeDetails>>

const ofSales = {
  CART_LINE_LIMIT_REACHED: { properties: { maxLines: count("Lines that a cart may have.") }, required: ["maxLines"] },
  INSUFFICIENT_STOCK: {
    properties: {
      available: count("Units that can be sold, where one line of a cart was written."),
      requested: count("Units that the line would have had."),
      items: listOf("The lines that lack stock, where a whole cart is bought.", { ...product, ...stock })
    }
  },
  OUT_OF_STOCK: {
    properties: { items: listOf("The lines that lack stock.", { ...product, ...stock }) },
    required: ["items"]
  },
  PRODUCT_UNAVAILABLE: {
    properties: {
      items: listOf("The lines that cannot be sold.", product),
      errors: fieldErrors
    },
    required: ["items"]
  },
  PRICE_DRIFT: {
    properties: {
      items: listOf("The lines whose price has changed.", {
        itemId: text("The line."),
        oldUnitPrice: text("Price of one unit as it was shown."),
        newUnitPrice: text("Price of one unit now."),
        delta: text("The new price less the old one."),
        direction: word("Which way the price went.", ["up", "down"])
      })
    },
    required: ["items"]
  },
  MODIFIER_VALIDATION_FAILED: {
    properties: {
      errors: listOf(
        "What is wrong with which group and modifier.",
        {
          code: word("What is wrong, for programs.", modifierErrorCodes),
          message: text("What is wrong, for people."),
          modifierGroupId: nullable("The modifier group."),
          modifierId: nullable("The modifier; null where it is about the group as a whole."),
          itemId: text("The line, where several are judged together.")
        },
        ["itemId"]
      )
    },
    required: ["errors"]
  },
  ORDER_INVALID_STATE: {
    properties: {
      status: word("Status of the order, where that is why.", orderStatuses),
      reason: text("Why, where it is not the status: such as why no money is reserved."),
      paymentId: nullable("The payment that it is about; null where the order has none.")
    }
  },
  CONFLICT: {
    properties: {
      reason: text("Which conflict it is, where a route knows several."),
      updatedAt: {
        type: "string",
        format: "date-time",
        description: "The version that the resource has now, where `If-Match` named another."
      }
    }
  },
  CARD_DECLINED: { properties: { reason: text("Why, the same for every provider, such as `insufficient_funds`.") } },
  PROVIDER_NOT_READY: { properties: askedProvider },
  PROVIDER_NOT_CONFIGURED: { properties: askedProvider }
} satisfies Partial<Record<Code, CodeDetails>>

export const codeDetails: Partial<Record<Code, CodeDetails>> = { ...ofRequests, ...ofCredentials, ...ofSales }

/**
 * The words around the operations of the API document: the introduction that opens the reference page, and what each
 * group of tags is for. Markdown; the description of a single tag stands at its group of endpoints.
 */
import type { Part } from "../middleware/ApiGroup.ts"

/** A group of tags in the reference page: one part of the interface. */
export interface TagGroup {
  readonly name: Part
  readonly description: string
}

/** In the order in which the reference page shows them. */
export const tagGroups: ReadonlyArray<TagGroup> = [
  {
    name: "Storefront",
    description:
      "What a storefront calls, under `/vc/{salesChannelId}`: products, carts, checkouts, orders, customer accounts. " +
      "The sales channel in the path and the page's Origin are the only credential; a signed-in customer adds a token."
  },
  {
    name: "Admin",
    description:
      "What a merchant's own servers call, under `/v1`: the whole store. " +
      "Every call needs an admin API key that has the scope of the route. Never call these routes from a browser."
  },
  {
    name: "Public",
    description:
      "A read-only catalogue under `/stores/{storeId}`, for pages that only show products. " +
      "It needs no credential, but the Origin header must be present."
  },
  {
    name: "Dashboard",
    description:
      "Routes under `/stores/{storeId}` that a merchant's dashboard uses. " +
      "They take an admin API key with the matching scope. They are not part of the stable contract."
  },
  {
    name: "Apps",
    description:
      "Routes under `/v1/installations/{installationId}`, for apps that a merchant has installed. " +
      "Every call needs the token of that installation."
  },
  {
    name: "System",
    description: "Whether the server is alive and ready. These routes need no credential and are not limited."
  }
]

/** What opens the reference page: markdown. */
export const introduction = `\
This is the HTTP interface of a multi-tenant commerce back end. A **store** has products, stock, prices, carts,
checkouts, orders and customers. A **sales channel** is one storefront of a store, such as its web shop.

## Which routes are mine

The base URL is the address of the server followed by \`/api\`: \`http://127.0.0.1:4000/api\` for a server on this
machine.

| You write | Paths start with | You send |
| --- | --- | --- |
| a storefront, in a browser or on a server | \`/vc/{salesChannelId}\` | an \`Origin\` header |
| a page that only shows products | \`/stores/{storeId}\` | an \`Origin\` header, of any site |
| a merchant's back office or integration | \`/v1\` | an admin API key |
| a dashboard for merchants | \`/stores/{storeId}/email\` and \`/webhook-subscriptions\` | an admin API key |

## Get a sales channel and a key

The first start of a server creates a store and prints the sales channel (\`vc_…\`) and an admin API key (\`svc_…\`).
The key is shown once. These commands create others:

~~~sh
commerce channel create --store store_… --name "Web shop" --domain shop.example.com --mode live
commerce keys create --store store_… --name erp --scope 'orders:read' --scope 'inventory:*'
~~~

The id of a sales channel is public and may appear in a page's source. An admin API key is secret: send it from
servers only, as \`X-API-Key: svc_…\` or \`Authorization: Bearer svc_…\`. Send exactly one credential.

A key has scopes such as \`products:read\`, \`orders:write\` or \`inventory:*\`. A GET needs \`:read\`, everything
else \`:write\`. A key for all stores of an account names the store in each call: \`?storeId=store_…\`.

## Which Origin to send

Browsers send \`Origin\` by themselves. A server, a test or \`curl\` sets it: \`Origin: https://shop.example.com\`.

| Sales channel | Which Origin it accepts |
| --- | --- |
| test mode, without a domain | any, and none: use this on \`localhost\` |
| test or live mode, with a domain | that domain and its subdomains |
| live mode, without a domain | none: set a domain first |

A wrong or missing Origin is 401 \`UNAUTHORIZED\`, which a browser reports as a CORS error. Test mode has the same
data and the same routes as live mode, and also the \`test\` payment provider.

## Show products

~~~sh
API=http://127.0.0.1:4000/api
VC=vc_…
curl -s "$API/vc/$VC/products?inStock=true&sortBy=price&limit=12" -H 'Origin: http://localhost:3000'
~~~

Show \`displayPrice\` and, where it is not null, \`displaySalePrice\`: they are the prices of this moment, in
\`displayCurrency\`. Where \`priceVaries\` is true, show the range \`displayPriceMin\` to \`displayPriceMax\`.
\`inventory.canPurchase\` says whether the product can be put into a cart.
\`GET /vc/{salesChannelId}/products/slug/{slug}\` answers one product with its variants and images.

## Build a product list

~~~sh
curl -s "$API/vc/$VC/products?category=apparel&attr.Colour=navy,white&inStock=true&facets=true&page=1&limit=24"
curl -s "$API/vc/$VC/products?search=skilet&mf.material=steel&maxPrice=60&locale=de"
~~~

Every filter must be met, by any of its values: \`category\` and \`brand\` (slugs or ids), \`attr.<name>\` (options),
\`mf.<key>\` (the store's own fields), \`minPrice\`, \`maxPrice\`, \`inStock\`. \`facets=true\` answers what the list
can be narrowed by, each choice with its number of products under all filters but its own facet's.
\`search\` finds words in names, numbers, brands, categories, tags and descriptions, also misspelt ones. The best come
first unless \`sortBy\` says otherwise; \`displayPriceMin\` sorts by the price to pay now.
Keep the \`ETag\` of an answer and send it as \`If-None-Match\`: what has not changed is 304 without a body.

## From cart to order

These lines work against the demo store of \`npm start\`.

~~~sh
json() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }
shop() { curl -s -X $1 "$API/vc/$VC$2" -H 'Origin: http://localhost:3000' -H 'Content-Type: application/json' -d "$3"; }

PRODUCT=$(shop GET '/products?search=mug&inStock=true&limit=1' | json 'data[0].id')
CART=$(shop POST /cart '{}' | json id)
shop POST /cart/$CART/items '{"productId":"'$PRODUCT'","quantity":2}' | json subtotal
CHECKOUT=$(shop POST /checkout '{"cartId":"'$CART'"}' | json id)
shop PATCH /checkout/$CHECKOUT/customer '{"email":"ada@example.com","firstName":"Ada","lastName":"Byron"}' | json email
RATE=$(shop PATCH /checkout/$CHECKOUT/shipping '{"shippingAddress":{"line1":"1 Main St","city":"San Francisco",
  "region":"CA","postalCode":"94105","country":"US"}}' | json 'availableShippingRates[0].id')
shop PATCH /checkout/$CHECKOUT/shipping-method '{"shippingRateId":"'$RATE'"}' | json total
curl -s "$API/vc/$VC/checkout/$CHECKOUT/complete" -H 'Origin: http://localhost:3000' -H "Idempotency-Key: $CHECKOUT" \\
  -H 'Content-Type: application/json' -d '{"paymentMethod":"test","paymentReference":"approve"}'
~~~

The last answer is the order: \`{ orderId, orderNumber, status, message, total }\`. Instead of \`approve\` the test
provider takes \`decline\`, \`error\`, \`timeout\` and \`pending\`. \`"paymentMethod":"manual"\` places an order that
is paid elsewhere, and works in live mode too.

Keep the cart's \`sessionToken\` in a cookie: \`GET /vc/{salesChannelId}/cart/session/{sessionToken}\` finds the cart
again. The id of a guest's cart is a secret too: it is all that is needed to read and change it. By default a cart
holds no stock; stock is taken when the checkout completes.

## Errors

Every error has the same shape:

~~~json
{ "statusCode": 400, "code": "INSUFFICIENT_STOCK", "message": "…", "details": { "available": 3, "requested": 5 },
  "timestamp": "2026-01-31T12:00:00.000Z", "path": "/api/vc/vc_…/cart/cart_…/items" }
~~~

Decide by \`code\`, which is stable. \`message\` is for people and may change; \`details\` holds facts for programs.
Quote the \`X-Request-Id\` header of the answer when you report a problem. A storefront should handle these:

| Code | What to do |
| --- | --- |
| 400 \`VALIDATION_FAILED\` | show \`details.errors\`, which maps each field to a sentence |
| 400 \`INSUFFICIENT_STOCK\`, \`PRODUCT_UNAVAILABLE\` | offer what is left, or remove the line |
| 400 \`PRICE_DRIFT\` | show the new prices, call \`POST …/cart/{cartId}/refresh-snapshots\`, complete again |
| 401 \`UNAUTHORIZED\` | on routes for customers: sign in again |
| 404 \`RESOURCE_NOT_FOUND\`, \`CHECKOUT_NOT_FOUND\` | start a new cart or checkout |
| 409 \`CONFLICT\` | read the resource again and decide anew |
| 409 \`RESERVATION_EXPIRED\` | start a new checkout from the cart |
| 409 \`OUT_OF_STOCK\` | tell the shopper that another one was faster |
| 422 \`CARD_DECLINED\` | ask for another way to pay; the checkout stays open |
| 429 \`RATE_LIMITED\`, 503 of any code | wait for \`Retry-After\` seconds, then repeat the same request |

## What may be repeated

A GET may always be repeated. For a write send an \`Idempotency-Key\` header: a value of your own, at most 255
characters, best a UUID. Every write under \`/v1\` takes one; completing a checkout demands one. For 24 hours a
repeated request with the same key and the same body gets the first answer again, with the header
\`Idempotency-Replayed: true\`.

- The same key with another body is 409 \`IDEMPOTENCY_KEY_REUSED\`.
- While the first request still runs, a second one with its key is 409 \`CONFLICT\` with \`Retry-After: 1\`.
- After 401, 429 and 503 nothing is kept: repeat with the same key.
- After a lost connection repeat with the same key. Nobody is charged twice.

## Amounts, times, ids

Amounts in answers are decimal strings in major units, such as \`"19.99"\`: never add them as floating-point numbers.
Numbers are used for quantities, weights and everything in \`taxBreakdown\`.
Requests take a number or a decimal string; more decimals than the currency has are 400. Percentages are decimal
strings such as \`"8.875"\`. Times are ISO 8601 in UTC. Ids are opaque strings. Every documented field is present in
an answer, null or empty where it has no value.

## Lists

\`page\` starts at 1. \`limit\` is 20 by default and at most 100; more is reduced to 100. A list answers
\`{ data, meta: { page, limit, total, totalPages } }\`. \`search\` finds a part of the name, \`sortBy\` takes the
values named at each route, and \`sortOrder\` is \`asc\` or \`desc\`. An unknown \`sortBy\` is ignored. Filters on a
list of values, such as \`category\`, take several separated by commas.

## Signed-in customers

\`POST …/customers/register\` and \`POST …/customers/login\` answer a \`token\`. Send it as
\`Authorization: Bearer …\` together with the Origin. It is good for seven days, on the sales channel that issued it.
After signing in, call \`POST …/cart/merge\` with the guest cart's \`sessionToken\`: the guest's lines move into the
customer's cart. Where a customer is optional (carts, checkouts), a token that is no longer good is ignored; under
\`/customers/me\` it is 401.

## Rate limits

An IP address may make 60 requests a minute and 1000 an hour, if the operator has not set other limits. Behind that,
each admin API key has a limit a minute (60, 500, 2000 or 10000, by its tier), and some routes have a lower one, such
as 5 sign-ins a minute. \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (seconds) tell how much is left of the
minute; with \`-long\` at the end, of the hour. A storefront that renders on a server calls for all of its shoppers
from one address: its operator raises the limit.

## Changing only what you have read

Resources with an \`updatedAt\` take \`If-Match: "<updatedAt>"\` on PUT, PATCH and DELETE. Where somebody else changed
the resource in between, nothing is written and the answer is 409 \`CONFLICT\` with the current \`details.updatedAt\`.
In a PATCH an absent field stays as it is, and null clears it.

## Webhooks

\`POST /v1/webhook-subscriptions\` with \`{ "url": "https://…", "events": ["order.*"] }\` answers a \`secret\`, this
once. Each event then arrives as a POST of \`{ id, type, createdAt, data }\`. Check its signature over the raw body:

~~~ts
import { createHmac, timingSafeEqual } from "node:crypto"

/** now: the time in milliseconds */
const isGenuine = (secret: string, headers: Headers, rawBody: string, now: number): boolean => {
  const timestamp = headers.get("x-svc-timestamp") ?? ""
  const expected = createHmac("sha256", secret).update(timestamp + "." + rawBody).digest()
  const given = Buffer.from(headers.get("x-svc-signature") ?? "", "hex")
  const isRecent = Math.abs(now - Number(timestamp)) <= 300_000
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected)
}
~~~

Answer 2xx within ten seconds, then do the work. Anything else is tried again 5, 10, 20 and 40 seconds later. An event
can arrive twice: remember its \`id\`. \`GET /v1/events\` lists the events of the last 30 days, to catch up on what
was missed.
`

/** What holds for every request: errors, retries, amounts, lists, limits, versions, webhooks. */
export const requests = `\
# Every request

## Errors

Every error has the same shape:

~~~json
{ "statusCode": 400, "code": "INSUFFICIENT_STOCK", "message": "…", "details": { "available": 3, "requested": 5 },
  "timestamp": "2026-01-31T12:00:00.000Z", "path": "/api/vc/vc_…/cart/cart_…/items" }
~~~

Decide by \`code\`, which is stable. \`message\` is for people and may change; \`details\` holds facts for programs.
Quote the \`X-Request-Id\` header of the response when you report a problem. A storefront should handle these:

| Code | What to do |
| --- | --- |
| 400 \`VALIDATION_FAILED\` | show \`details.errors\`, which maps each field to a sentence |
| 400 \`INSUFFICIENT_STOCK\`, \`PRODUCT_UNAVAILABLE\` | offer what is left, or remove the line |
| 400 \`PRICE_DRIFT\` | show the new prices, call \`POST …/cart/{cartId}/refresh-snapshots\`, complete again |
| 401 \`UNAUTHORIZED\` | on routes for customers: sign in again |
| 404 \`RESOURCE_NOT_FOUND\`, \`CHECKOUT_NOT_FOUND\` | start a new cart or checkout |
| 409 \`CONFLICT\` | read the resource again and decide anew |
| 409 \`RESERVATION_EXPIRED\` | start a new checkout from the cart |
| 409 \`OUT_OF_STOCK\` | say that the last one was sold in the meantime |
| 422 \`CARD_DECLINED\` | ask for another way to pay; the checkout stays open |
| 429 \`RATE_LIMITED\`, 503 of any code | wait for \`Retry-After\` seconds, then repeat the same request |

## What may be repeated

A GET may always be repeated. For a write send an \`Idempotency-Key\` header: a value of your own, at most 255
characters, best a UUID. Every write under \`/v1\` accepts one; completing a checkout requires one. For 24 hours a
repeated request with the same key and the same body returns the first response again, with the header
\`Idempotency-Replayed: true\`.

- The same key with another body is 409 \`IDEMPOTENCY_KEY_REUSED\`.
- While the first request still runs, a second one with its key is 409 \`CONFLICT\` with \`Retry-After: 1\`.
- After 401, 429 and 503 nothing is kept: repeat with the same key.
- After a lost connection repeat with the same key. Nobody is charged twice.

## Amounts, times, ids

Amounts in responses are decimal strings in major units, such as \`"19.99"\`: never add them as floating-point numbers.
Numbers are used for quantities, weights and everything in \`taxBreakdown\`.
Requests accept a number or a decimal string; more decimals than the currency has are 400. Percentages are decimal
strings such as \`"8.875"\`. Times are ISO 8601 in UTC. Ids are opaque strings. Every documented field is present in
a response, null or empty where it has no value.

## Lists

\`page\` starts at 1. \`limit\` is 20 by default and at most 100; more is reduced to 100. A list returns
\`{ data, meta: { page, limit, total, totalPages } }\`. \`search\` finds a part of the name, \`sortBy\` accepts the
values named at each route, and \`sortOrder\` is \`asc\` or \`desc\`. An unknown \`sortBy\` is ignored. Filters on a
list of values, such as \`category\`, accept several separated by commas.

## Rate limits

An IP address may make 60 requests a minute and 1000 an hour, if the operator has not set other limits. Besides,
each admin API key has a limit a minute (60, 500, 2000 or 10000, by its tier), and so has an installed app (100, 500 or
1000; the events that it receives are counted apart, 30000 a minute); some routes have a lower one, such as 5 sign-ins
a minute. \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (seconds) describe the current
minute; with \`-long\` at the end, the hour. A storefront that renders on a server calls for all of its shoppers
from one address: its operator raises the limit.

## Changing only what you have read

Resources with an \`updatedAt\` accept \`If-Match: "<updatedAt>"\` on PUT, PATCH and DELETE. Where somebody else changed
the resource in between, nothing is written and the response is 409 \`CONFLICT\` with the current \`details.updatedAt\`.
In a PATCH an absent field stays as it is, and null clears it.

## Webhooks

\`POST /v1/webhook-subscriptions\` with \`{ "url": "https://…", "events": ["order.*"] }\` returns a \`secret\`, this
once. Each event then arrives as a POST of \`{ id, type, createdAt, sequence, data }\`. Of two events of one order the
one with the greater \`sequence\` is the later one. Check the signature over the raw body:

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

Respond with 2xx within ten seconds, then do the work. Anything else is tried again 5, 10, 20 and 40 seconds later. An
event can arrive twice: remember its \`id\`. \`GET /v1/events\` lists the events of the last 30 days, to catch up on
what was missed.
`

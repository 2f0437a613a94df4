/** What changed for the users of the API, newest first: CONTRIBUTING.md says when to add a line. */
export const changelog = `\
# Changelog

What changes for programs that call the API, newest first. Within version 1 fields and routes are added; none is removed
or changes its meaning.

## Version 1, November 2026

The first version:

- **Storefront**: products with search, filters and facets; carts, checkouts, orders, customer accounts, reviews.
- **Admin**: products with variants, kits, modifiers, translations and fields of the store's own; stock, tax, shipping,
  orders with recorded payments, refunds and disputes at the provider, customers, images, mails.
- **Safe retries**: \`Idempotency-Key\` on every write under \`/v1\`, \`If-Match\` on every resource with \`updatedAt\`.
- **Events**: webhooks with signatures, and \`GET /v1/events\` for the last 30 days. Each event has a \`sequence\`: of
  two events of one resource the later one has the greater number.
- **Standard Webhooks**: a subscription with \`standardHeaders\` gets the headers of standardwebhooks.com beside ours.
- **Mail about webhooks**: the store's owner gets a mail when the circuit of a subscription opens.
- **Quotas**: where the operator of the server limits a store (\`commerce store quota\`), a product too many is 402
  \`PLAN_LIMIT_REACHED\`, also in the results of bulk calls, and an order too many in a calendar month (UTC) 402
  \`PLAN_ORDERS_EXHAUSTED\`, before anything is charged. \`details\` has the limit, its use and a \`remedy\`.
- **Keys**: \`lastUsedAt\` of an API key says when it was last sent, to the minute.
- **Conflicts of metafields**: \`GET /v1/metafield-conflicts\` returns the open ones; \`?status=\` the others.
- **Caching**: \`ETag\` and 304 on catalogue routes; JSON is compressed.
- **Bulk**: many products in one request, and imports that report an error for each row.
- **Payment providers**: \`/v1/payment-providers\` sets up accounts at payment companies, \`paymentMethods\` of a
  checkout lists them, and \`POST /payment-events/{providerId}\` receives notices.
- **Payments that begin before the shopper pays**: \`POST /vc/{salesChannelId}/checkout/{checkoutId}/payment\` returns
  the page to go to or the secret for the provider's form, and \`payment-status\` says what has become of it.
- **Payments that need a person**: the event \`payment.needs_attention\`.
- **Promotions**: \`/v1/promotions\` makes rules that take something off by themselves: percentages, amounts, buy X get
  Y, tiers and free shipping. Carts and checkouts show what applies, what does not and why (\`notApplied\`), and what a
  cart is close to (\`nudges\`).
- **Coupons**: \`/v1/coupons\`, with limits, windows, regions and conflicts between systems.
- **Bundle offers**: \`/v1/bundle-offers\` makes bundles, order bumps and upgrades, which carts list and take.
- **Gift cards**: \`/v1/gift-cards\`, with a ledger; several of them may pay for a checkout.
- **Loyalty**: \`/v1/loyalty\` has a programme with tiers, expiry and referrals; points pay for checkouts.
- **Checkout fields**: \`/v1/checkout-fields\` asks shoppers for more, and may add a surcharge for it.
- **Rates of exchange**: \`/v1/fx-rates\`; a checkout of a region shows, and charges, that region's currency.
- **Quotes**: \`POST /v1/tax/quote\` and \`POST /v1/shipping/quote\`, without a checkout.
- **Newsletter**: sign-ups that are confirmed by a mail, and a coupon for them.
- **Login providers**: \`/v1/oauth-providers\` sets up Google, Facebook, GitHub and OpenID Connect issuers, and
  customers sign in by them under \`/vc/{salesChannelId}/customers/oauth\`.
- **Explanations**: \`GET …/explain\` of a cart, a checkout or an order says where each amount comes from: the row, the
  formula, the value before rounding. With \`Accept: text/html\` it is a page. An order keeps its explanation.
- **People of the dashboard**: \`/auth\` has log-in, sessions, forgotten passwords and invitations, and
  \`/stores/{storeId}/team\` teams with roles. A session opens the routes of the dashboard beside an admin key.
- **Invoices**: \`GET /v1/orders/{id}/invoice\` is a page that prints, in English or German; \`invoiceUrl\` of an order
  is its signed link, in every response that is an order, \`invoiceNumber\` a number without gaps. The first request
  issues it.
- **Downloads**: files that come with products, fetched as often and as long as was sold. \`downloadMeta\` of an order
  lists them; guests and customers get links that work for a day and count once.
- **Exports**: \`POST /v1/exports\` writes orders, customers, products or stock to a file, CSV or NDJSON.
- **Orders of guests**: they belong to the customer (\`customerId\`, \`/customers/me/orders\`) once the mailbox is
  proved by the link of a mail; each emits \`order.updated\`.
- **Limits**: where the counters of limits cannot be reached, routes with a limit of their own (logins, codes, uploads)
  are 503 \`SERVICE_TEMPORARILY_UNAVAILABLE\` with \`Retry-After\`; nothing was done. \`rateLimits\` of
  \`GET /health/ready\` is \`alone\` meanwhile. \`X-RateLimit-Remaining\` no longer counts requests above the limit.
- **Passwords**: the most common ones are rejected with 400. Too many logins at once are 503
  \`SERVICE_TEMPORARILY_UNAVAILABLE\` with \`Retry-After\`; nothing was done.
- **Languages**: mails to a customer are in the language of Accept-Language at registration or the last login.
- **Newsletter and account**: a confirmed sign-up sets \`acceptsMarketing\` of the account with the same address.
- **E-mail domains**: \`/v1/email/domains\` lets mails come from a domain of the store's own, signed by its key;
  \`customDomainId\` of the e-mail settings names it.
- **Mails in two languages**: default templates are in English and German (\`?language=\`); views have amounts with
  their currency (\`totalAmountFormatted\`); \`validationWarnings\` of a template names variables that its kind lacks.
- **Unsubscribing**: marketing mails end with one click (RFC 8058); \`marketingSendingPaused\`,
  \`dailyCampaignSendLimit\` and the recipient's consent hold them back with 422.
- **Draft orders**: \`/v1/orders/draft\` puts an order together with a buyer, and
  \`POST /vc/{salesChannelId}/checkout/draft\` opens the checkout of its invoice. A line of such a checkout may be no
  product of the store: \`productId\` and \`product.id\` are null.
- **Care of orders**: \`POST /v1/orders/{id}/fulfill\` sends in parcels, \`…/cancel\` cancels with restock and refund,
  \`PATCH …\` and \`PATCH …/status\` change, \`…/notes\` notes, and \`GET …/history\` tells who did what. Orders have
  \`fulfillments\`, items \`refundedQuantity\`, and \`statusHistory\` has \`actor\` and \`source\`. Labels of the
  merchant's own for statuses: \`/v1/order-status-labels\`.
- **Refunds**: \`POST /v1/orders/{id}/refunds\` gives back an amount, or items and shipping; \`…/refunds/preview\` says
  what that would be, \`…/capture\` and \`…/void\` take or release what a provider has reserved. The store's owner
  gets a mail when a refund or a payment fails, and when a dispute is opened or decided.
- **Carts that were left**: the event \`checkout.abandoned\`, and a mail that leads back to the cart.
- **Apps**: \`/v1/installations\` installs apps with tokens of their own, which keep secrets, map the store's resources
  to other platforms and receive events of other systems. \`connectedPlatforms\` of a store names the platforms, and
  \`compatible-providers\` of a region lists apps too. \`POST /vc/{salesChannelId}/bot/summarize\` returns 501.
`

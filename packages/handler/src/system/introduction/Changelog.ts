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
- **Mail about webhooks**: the store's owner gets a mail when the circuit of a subscription opens.
- **Caching**: \`ETag\` and 304 on catalogue routes; JSON is compressed.
- **Bulk**: many products in one request, and imports that report an error for each row.
- **Payment providers**: \`/v1/payment-providers\` sets up accounts at payment companies, \`paymentMethods\` of a
  checkout lists them, and \`POST /payment-events/{providerId}\` receives notices.
- **Payments that begin before the shopper pays**: \`POST /vc/{salesChannelId}/checkout/{checkoutId}/payment\` returns
  the page to go to or the secret for the provider's form, and \`payment-status\` says what has become of it.
- **Payments that need a person**: the event \`payment.needs_attention\`.
- **Not built yet**: coupons, promotions, gift cards, loyalty points, checkout fields, exchange rates and refunds.
`

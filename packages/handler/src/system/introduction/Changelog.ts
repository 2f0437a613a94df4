/** What changed for the users of the API, newest first: CONTRIBUTING.md says when to add a line. */
export const changelog = `\
# Changelog

What changes for programs that call the API, newest first. Within version 1 fields and routes are added; none is removed
or changes its meaning.

## Version 1, November 2026

The first version:

- **Storefront**: products with search, filters and facets; carts, checkouts, orders, customer accounts, reviews.
- **Admin**: products with variants, kits, modifiers, translations and fields of the store's own; stock, tax, shipping,
  orders and recorded payments, customers, images, mails.
- **Safe retries**: \`Idempotency-Key\` on every write under \`/v1\`, \`If-Match\` on every resource with \`updatedAt\`.
- **Events**: webhooks with signatures, and \`GET /v1/events\` for the last 30 days.
- **Caching**: \`ETag\` and 304 on catalogue routes; JSON is compressed.
- **Bulk**: many products in one request, and imports that report an error for each row.
- **Not built yet**: coupons, promotions, gift cards, loyalty points, checkout fields, exchange rates, refunds and
  payment providers of other companies.
`

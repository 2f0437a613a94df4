/** How a storefront shows products, fills a cart and places an order. */
export const storefront = `\
# Storefront

## Show products

~~~sh
API=https://commerce.example/api
VC=vc_…
curl -s "$API/vc/$VC/products?inStock=true&sortBy=price&limit=12" -H 'Origin: http://localhost:3000'
~~~

Show \`displayPrice\` and, where it is not null, \`displaySalePrice\`: they are the prices of this moment, in
\`displayCurrency\`. Where \`priceVaries\` is true, show the range \`displayPriceMin\` to \`displayPriceMax\`.
\`inventory.canPurchase\` says whether the product can be put into a cart.
\`GET /vc/{salesChannelId}/products/slug/{slug}\` returns one product with its variants and images.

## Build a product list

~~~sh
curl -s "$API/vc/$VC/products?category=apparel&attr.Colour=navy,white&inStock=true&facets=true&page=1&limit=24"
curl -s "$API/vc/$VC/products?search=skilet&mf.material=steel&maxPrice=60&locale=de"
~~~

Every filter must be met, by any of its values: \`category\` and \`brand\` (slugs or ids), \`attr.<name>\` (options),
\`mf.<key>\` (the store's own fields), \`minPrice\`, \`maxPrice\`, \`inStock\`. With \`facets=true\` the response also
lists the filters that can narrow the list. Each choice has the number of its products under all other filters.
\`search\` finds words in names, numbers, brands, categories, tags and descriptions, also misspelt ones. The best
matches come first unless \`sortBy\` says otherwise; \`displayPriceMin\` sorts by the price to pay now.
Keep the \`ETag\` of a response and send it as \`If-None-Match\`: if nothing has changed, the response is 304 without a
body.

## Links to categories and brands

Link by slug: a category page reads \`GET /vc/{salesChannelId}/categories/slug/{slug}\`, a brand page
\`GET /vc/{salesChannelId}/brands/slug/{slug}\`, and both list products with the filter \`category\` or \`brand\`.
A category page returns \`breadcrumb\`: name and slug of each category from the root down to this one, itself last.
A product lists its categories and brands with their slugs, and no breadcrumb. For a menu, and for the way to any
category, read the tree once: \`GET /vc/{salesChannelId}/categories\`. The paths of your pages are your own choice.

## HTML in descriptions

\`descriptionFormat\` of a product says how its \`description\` is written: \`html\` (the default), \`markdown\` or
\`text\`. Descriptions of categories are HTML. **Descriptions are not sanitised:** they are stored and returned as they
were written with an admin key or by an import. If you do not trust everybody who writes products, sanitise
the HTML before you put it into a page. Show \`text\` as text, with its special characters escaped.

## Languages

| What | Which language it is in |
| --- | --- |
| products, categories, brands | \`locale=de\` in the query, else \`Accept-Language\`, else the store's language |
| a cart and its lines | chosen in the same way when the cart is created; a \`PATCH\` of \`locale\` changes it |
| a checkout | that of its cart |
| an order, and mails about it | that of its checkout |
| mails about an account, such as a new password | the store's language |
| mails that a product is back | \`locale\` of the stock alert, else the store's language |
| error messages | English: show texts of your own by \`code\` |

A text without a translation is in the store's language. A mail uses the store's template in that language,
else the template in the store's language. \`locale\` of a cart is null where it uses the store's language.

## Attributes and variants

A variant names its options in \`attributes\`, such as \`{ "Colour": "Navy" }\`. Storefront routes translate both the
keys and the values: with \`locale=de\` the same variant has \`{ "Farbe": "Marineblau" }\`. Do not use the keys as
identifiers; the product's \`attributes\` list has the stable ids. The filter \`attr.<name>\` accepts names in
every language that they are translated into.

\`displayType\` of an attribute is a text of at most 50 characters, or null. The server does not interpret it: use it to
agree with your storefront on how to show a choice. The demo store uses \`SWATCH\` and \`BUTTON\`.

## Customizations

A product lists in \`customizationFields\` what a shopper can fill in, such as an engraving. Send the values as
\`customizations\` of a cart item, by \`key\`. Two lines with different values stay two lines.

| Type | Value |
| --- | --- |
| \`TEXT\`, \`TEXTAREA\` | a string, from \`minLength\` to \`maxLength\` characters |
| \`NUMBER\` | a number, from \`minValue\` to \`maxValue\` |
| \`BOOLEAN\` | \`true\` or \`false\` |
| \`DATE\` | a day, such as \`2026-12-24\`, within \`dateAvailability\` |
| \`SELECT\` | one \`value\` of \`enumValues\` |
| \`MULTI_SELECT\` | a list of such values |
| \`COLOR\` | a colour, such as \`#cc0000\` |
| \`URL\` | an address that starts with \`http\` or \`https\` |
| \`IMAGE\`, \`GALLERY\` | \`key\` or \`url\` of an [upload](#description/upload-a-file); a list |

A merchant creates such a field with \`POST /v1/metafield-definitions\` and \`isCustomerInput: true\`. Choices that
change the price, such as a larger frame, are modifiers instead: see \`modifierGroups\` of a product.

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

The last response describes the order: \`{ orderId, orderNumber, status, message, total }\`.

Keep the cart's \`sessionToken\` in a cookie: \`GET /vc/{salesChannelId}/cart/session/{sessionToken}\` finds the cart
again. The id of a guest's cart is a secret too: it is all that is needed to read and change it. By default a cart
holds no stock; stock is taken when the checkout completes.

## The cart after an order

A cart can be bought once. When its checkout completes, the cart becomes \`CONVERTED\`: it can still be read, and every
change is 409 \`CONFLICT\`. Create a new cart for the next purchase. If the checkout was created for some lines only
(\`selectedItemIds\`), those lines are removed and the cart stays open with the others.

## Discounts

The store's rules apply by themselves, and so does the best of those that do not combine. A shopper enters one coupon:

~~~sh
shop POST /cart/$CART/coupon '{"code":"welcome10"}' | json discountAmount
~~~

| Field | What to show |
| --- | --- |
| \`appliedDiscounts\` of a cart, \`appliedRules\` of a checkout | what takes something off, and how much |
| \`notApplied\` | what does not, and why: \`reason\`, and \`lostTo\` where other discounts take more off |
| \`nudges\` of a cart | what is close: "Add 5.00 USD more for Free shipping" |
| \`recommendations\`, \`upgrades\`, \`bundles\`, \`orderBumps\` of a cart | offers; ask for them with \`include\` |

A code that does not qualify is an error with \`details.reason\` and, where one more step would do, what is missing. A
code that was accepted and stops qualifying stays and takes nothing off; one that has expired or was used up meanwhile
makes the completion fail, so that nobody pays more than was shown.

## Gift cards and points

\`POST …/checkout/{checkoutId}/gift-card\` and, for a signed-in customer, \`POST …/checkout/{checkoutId}/loyalty\` pay
a part of a checkout or all of it: \`tenders\` lists what each pays, and \`providerAmountDue\` what is left for the
payment provider. What they pay is held while a payment is under way and given back if it fails. A completion in which
they would pay less than was shown is 409 \`CONFLICT\` with the \`tenderId\`: nothing is charged, read the checkout
again. Every rejected code of a gift card is the same 400.

## Where an amount comes from

\`GET …/cart/{cartId}/explain\` and \`GET …/checkout/{checkoutId}/explain\` list every amount with the row that caused
it, the formula and where it was rounded; with \`Accept: text/html\` as a page. The entries of a step add up to its
total.

## Shipping methods

\`availableShippingRates\` of a checkout lists the methods for its address, **the cheapest first**; of equal prices
the one that takes the fewest days, and otherwise as the merchant created them. They come from one shipping zone, the
first that contains the address. **No method is chosen by default.** Choose one with \`PATCH
/vc/{salesChannelId}/checkout/{checkoutId}/shipping-method\`; \`shippingRateId\` is null until then. If goods are
shipped and none is chosen, completing the checkout is 400 \`MISSING_REQUIRED_FIELDS\`. A change of the address or of
the lines can remove the choice: read the checkout in each response.

## Ways to pay

\`paymentMethods\` of a checkout lists what it may be paid by: the store's payment providers that serve the mode of
the channel and the checkout's region, or \`free\` alone where nothing is due. Its \`kind\` says what to show: nothing
more (\`manual\`), a form of yours (\`card\`) or the way to a page of the company (\`redirect\`). \`paymentMethod\` is
a field of the request that completes a checkout:

| \`paymentMethod\` | Where | What happens |
| --- | --- | --- |
| \`manual\` (the default) | live and test mode | places the order unpaid, for a bank transfer or an invoice |
| \`free\` (the default where nothing is due) | live and test mode | places an order with the total 0.00 |
| \`test\` | test mode only | charges the built-in test provider; no money moves |
| \`provider\` with \`providerId\` | the mode of its account | pays by this one of \`paymentMethods\` |
| \`stripe\` | the mode of its account | pays by the store's oldest enabled account at Stripe |
| \`gift_card\` | gift cards pay the whole order | 400 where something is left to pay |

A way to pay that the store has not set up, or not for channels of this mode, is 503 \`PROVIDER_NOT_CONFIGURED\`; one
whose company cannot be reached is 503 \`PROVIDER_NOT_READY\`. Credentials in test mode never serve a live channel, nor
live ones a test channel.

\`paymentReference\` chooses what the test provider does: \`approve\`, \`decline\`, \`error\`, \`timeout\` or
\`pending\`. It takes no money, and live-mode channels do not have it.

## Pay on the provider's page or in its form

Where the shopper has to act at the provider, begin the payment first:

~~~sh
shop POST /checkout/$CHECKOUT/payment '{"providerId":"test","returnUrl":"http://localhost:3000/thanks"}'
~~~

The response has \`redirectUrl\`, the page to send the shopper to, or \`clientSecret\`, for the provider's own form.
Either is null where there is none. Prices, stock and addresses are checked and the stock is held, as at completion, and
the checkout is \`PROCESSING\`. **The order is placed once the provider has the money**, whether the shopper comes back
or not. When he does, in whatever browser:

1. Read \`GET …/checkout/{checkoutId}/payment-status\`. It asks the provider, at most once in two seconds.
   \`awaiting_shopper\`: he has not paid yet; \`pending\` without an order: nothing came of it, try again.
2. Or complete the checkout without a \`paymentReference\`. The response is the order, or 409 \`CONFLICT\` with
   \`details.reason\` \`awaiting_shopper\` and what he still has to do, or 422 \`CARD_DECLINED\`.

Beginning again returns the same charge. An edit of the checkout, its cancellation, another way to pay, a purchase by
another checkout of the cart, or merging the cart at sign-in **gives the charge up**: it is voided, and money that still
comes of it is refunded. A completion with a \`paymentReference\` of the same provider goes on with the charge. After
the time of a checkout (24 hours by default) the stock is free and the charge is voided.

## Checkout fields

A store may add fields of its own to its checkouts: \`customFields\` of a checkout lists them, in the order in which to
show them, with their \`type\`, their options and what each adds to the total. Fill them in with
\`PATCH /vc/{salesChannelId}/checkout/{checkoutId}/custom-fields\`; a field that is left out stays as it is, and null
clears it:

~~~sh
shop PATCH /checkout/$CHECKOUT/custom-fields '{"values":{"gift_wrap":true,"note":"For Grace"}}'
~~~

\`customFieldValues\` has what was filled in, and \`appliedSurcharges\` what it costs. A surcharge of a field counts
once the field is ticked or filled in, and that of an option once it is chosen; both add up, and neither is taxed. A
percentage is of the lines after discounts. Completing a checkout without a required field is 400
\`MISSING_REQUIRED_FIELDS\` with its key in \`details.fields\`. What belongs to a product and not to the whole order
is a [customization](#description/customizations).

## Regions and currencies

The amounts of carts, checkouts and orders are in the currency that the store had when they began. Where a checkout's
region has another currency, and the store a rate for it (\`PUT /v1/fx-rates\`), \`presentment\` has the same amounts
in that currency, and a payment provider is asked for those. The rate is the one of when the checkout was created or
moved to the region: it does not change while the shopper pays. Show \`presentment\`; without a rate it repeats the
amounts of the checkout.

The region is the one that was given, else the one of the shipping address's country, else the store's default. It also
decides which shipping zones, coupons, rules and ways to pay there are, and whether its new tax rates are included in
prices.

## Signed-in customers

\`POST …/customers/register\` and \`POST …/customers/login\` return a \`token\`. Send it as
\`Authorization: Bearer …\` together with the Origin. It is good for seven days, on the sales channel that issued it.
After signing in, call \`POST …/cart/merge\` with the guest cart's \`sessionToken\`: the guest's lines move into the
customer's cart. Where a customer is optional (carts, checkouts), a token that is no longer good is ignored; under
\`/customers/me\` it is 401.
`

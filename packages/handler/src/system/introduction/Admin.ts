/** What a merchant's own programs do: scopes, files, publishing. */
import { scopes } from "./Scopes.ts"

export const admin = `\
# Back office

${scopes}
## Upload a file

Send \`multipart/form-data\` with one field \`file\`. These lines upload a picture to the media library:

~~~sh
curl -s https://commerce.example/api/v1/media -H 'X-API-Key: svc_…' -F 'file=@lamp.jpg;type=image/jpeg' -F 'alt=A lamp'
~~~

| Route | Fields | At most |
| --- | --- | --- |
| \`POST /v1/media\` | \`file\`, and optionally \`name\` and \`alt\` | 10 MB |
| \`POST /vc/{salesChannelId}/customization-upload\` | \`file\` | 5 MB, 10 a minute from one IP address |
| \`POST /vc/{salesChannelId}/products/{productId}/review-photo\` | \`file\` | the same, for signed-in customers |

JPEG, PNG, WebP and GIF are accepted, of at most 40 megapixels; the declared type must be the type of the content. Let
your client write the \`Content-Type\` header, which contains the boundary. The response has the \`url\` to show.
Instead of a file \`POST /v1/media\` also accepts JSON with \`sourceUrl\`, the address of an image that the server
fetches.

## Publish a product

A product is on a storefront when both are true:

1. its \`status\` is \`active\`. A new product is a \`draft\`: send \`PATCH /v1/products/{id}\` with
   \`{ "status": "active" }\`;
2. the sales channel shows it: \`salesChannelIds\` is null, which is every channel and the default, or it lists
   the channel.

\`POST /v1/products/{id}/publish\` adds channels to \`salesChannelIds\` and nothing else: a draft stays a draft. The
first publication of a product that was on every channel leaves it on the named channels only. Variants have a
\`status\` of their own, \`active\` by default. A product that lacks a required field of the store's own cannot become
active. The public catalogue under \`/stores/{storeId}\` shows products that are on every channel.

## Get paid

A store can be paid by hand without further ado. \`POST /v1/payment-providers\` sets up more: a way to pay by hand
under a name of its own, or an account at a payment company, such as \`{ "type": "stripe", "credentials": {
"secretKey": "sk_live_…" } }\`. The company is asked whose account it is. Live credentials serve live-mode channels
and test credentials test-mode channels: set up both. Then enter \`https://…/api/payment-events/{id}\` as the webhook
of the account, and \`PATCH\` all credentials with the secret that the company shows. \`PATCH\` also rotates them:
those before stay valid for 24 hours, or for \`credentialsOverlapHours\`. Credentials are stored encrypted and never
returned. \`providerInstallationIds\` of a region limits which of them its shoppers are offered.

## Install an app

\`POST /v1/installations\` with \`{ "name": "Fulfilment connector", "scopes": ["mappings:read", "mappings:write"] }\`
returns a \`token\`, this once. It opens the routes below \`/v1/installations/{installationId}\` and nothing else:
\`mappings:read\` and \`mappings:write\` are for what the store's resources are called on other platforms,
\`config:write\` for secrets and for events that other systems send to the app. \`POST …/token\` renews the token;
\`DELETE\` ends it and deletes what the app has kept. For what a merchant does, such as shipping an order, give the app
an admin key with just those scopes.
`

/** What a reader needs first: which routes to call, the sales channel, the key and the Origin. */
export const start = `\
This is the HTTP interface of a multi-tenant commerce back end. A **store** has products, stock, prices, carts,
checkouts, orders and customers. A **sales channel** is one storefront of a store, such as its web shop.

# Start

## Which routes are mine

The base URL is the address of the server followed by \`/api\`: \`https://commerce.example/api\`.

| You write | Paths start with | You send |
| --- | --- | --- |
| a storefront, in a browser or on a server | \`/vc/{salesChannelId}\` | an \`Origin\` header |
| a page that only shows products | \`/stores/{storeId}\` | an \`Origin\` header, of any site |
| a merchant's back office or integration | \`/v1\` | an admin API key |
| a dashboard for merchants | \`/auth\`, \`/stores/{storeId}/team\`, \`/email\` … | a session of \`/auth/login\` |

## Get a sales channel and a key

The first start of a server creates a store and prints the sales channel (\`vc_…\`) and an admin API key (\`svc_…\`).
The key is shown once. These commands create others:

~~~sh
commerce channel create --store store_… --name "Web shop" --domain shop.example.com --mode live
commerce keys create --store store_… --name erp --scope 'orders:read' --scope 'inventory:*'
~~~

The id of a sales channel is public and may appear in a page's source. An admin API key is secret: send it from
servers only, as \`X-API-Key: svc_…\` or \`Authorization: Bearer svc_…\`. Send exactly one credential.

What a key may do is listed under [Scopes](#description/scopes). A key for all stores of an account names the store in
each request: \`?storeId=store_…\`.

## Which Origin to send

Browsers send \`Origin\` by themselves. A server, a test or \`curl\` sets it: \`Origin: https://shop.example.com\`.

| Sales channel | Which Origin it accepts |
| --- | --- |
| test mode, without a domain | any, and none: use this on \`localhost\` |
| test or live mode, with a domain | that domain and its subdomains |
| live mode, without a domain | none: set a domain first |

A wrong or missing Origin is 401 \`UNAUTHORIZED\`, which a browser reports as a CORS error. Test mode has the same
data and the same routes as live mode, and also the \`test\` payment provider.
`

/** What each scope of an admin key is for, as a table. */
import { resourceFacts, resources } from "@effect-commerce/core/identity/Scope"

export const scopes = `\
## Scopes

A key has scopes: a resource with \`read\`, \`write\`, or \`*\` for both, such as \`products:read\` or
\`inventory:*\`. A GET needs \`:read\`, everything else \`:write\`; each route names its scope as \`x-scope\`. A key
without it gets 403 \`INSUFFICIENT_SCOPE\`. Give a key only what it needs.

| Resource | What it is for |
| --- | --- |
${resources.map((resource) => `| \`${resource}\` | ${resourceFacts[resource].for} |`).join("\n")}
`

/** The credentials of each surface, as the API document shows them. */
import type { PolicyFacts } from "../middleware/Policy.ts"

export const securitySchemes = {
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "An admin API key: svc_…" },
  bearer: { type: "http", scheme: "bearer", description: "The same key as Authorization: Bearer svc_…" },
  salesChannel: {
    type: "apiKey",
    in: "header",
    name: "Origin",
    description:
      "The origin of the page, on the domain of the sales channel in the path. Browsers send it by " + "themselves."
  },
  customer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A customer's token from login or registration, valid on its sales channel."
  },
  origin: { type: "apiKey", in: "header", name: "Origin", description: "Any Origin. Browsers send it by themselves." }
}

type Requirement = Readonly<Partial<Record<keyof typeof securitySchemes, readonly []>>>

const bySurface: Readonly<Record<PolicyFacts["surface"], ReadonlyArray<Requirement>>> = {
  admin: [{ apiKey: [] }, { bearer: [] }],
  channel: [{ salesChannel: [] }],
  public: [{ origin: [] }],
  open: []
}
const signedIn: Requirement = { salesChannel: [], customer: [] }
const byCustomer = { optional: [...bySurface.channel, signedIn], required: [signedIn] }

/** Alternatives, each of which is enough for the route. */
export const securityOf = ({ surface, customer }: PolicyFacts): ReadonlyArray<Requirement> =>
  customer === undefined ? bySurface[surface] : byCustomer[customer]

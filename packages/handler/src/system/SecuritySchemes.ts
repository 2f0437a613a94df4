/** The credentials of each surface, as the API document shows them. */
import type { PolicyFacts } from "../middleware/Policy.ts"

export const securitySchemes = {
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "An admin API key: svc_…" },
  bearer: { type: "http", scheme: "bearer", description: "The same key as Authorization: Bearer svc_…" },
  appToken: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "The token of an installed app, valid below its own installation: app_inst_…"
  },
  appBearer: { type: "http", scheme: "bearer", description: "The same token as Authorization: Bearer app_inst_…" },
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
  origin: { type: "apiKey", in: "header", name: "Origin", description: "Any Origin. Browsers send it by themselves." },
  session: {
    type: "http",
    scheme: "bearer",
    description: "A session of a person of the dashboard, from POST /auth/login: dash_…"
  },
  sessionCookie: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-commerce_session",
    description:
      "The same session in a cookie, for pages on the origin of this server; named commerce_session over plain http."
  },
  csrf: {
    type: "apiKey",
    in: "header",
    name: "X-CSRF-Token",
    description: "The csrfToken of the session: needed by every write that a cookie identifies."
  }
}

type Requirement = Readonly<Partial<Record<keyof typeof securitySchemes, readonly []>>>

const bySurface: Readonly<Record<PolicyFacts["surface"], ReadonlyArray<Requirement>>> = {
  admin: [{ apiKey: [] }, { bearer: [] }],
  channel: [{ salesChannel: [] }],
  public: [{ origin: [] }],
  person: [],
  open: []
}
const ofPerson = (reads: boolean): ReadonlyArray<Requirement> => [
  { session: [] },
  reads ? { sessionCookie: [] } : { sessionCookie: [], csrf: [] }
]
const signedIn: Requirement = { salesChannel: [], customer: [] }
const byCustomer = { optional: [...bySurface.channel, signedIn], required: [signedIn] }

const byApp: ReadonlyArray<Requirement> = [{ appToken: [] }, { appBearer: [] }]

/** Alternatives, each of which is enough for the route. */
export const securityOf = (
  { surface, customer, area, session, installation }: PolicyFacts,
  method: string
): ReadonlyArray<Requirement> => {
  if (customer !== undefined) return byCustomer[customer]
  if (installation?.needs !== undefined) return [...byApp, ...bySurface[surface]]
  return area === undefined && session === undefined
    ? bySurface[surface]
    : [...ofPerson(method === "GET"), ...bySurface[surface]]
}

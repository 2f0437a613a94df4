import { EmailLinks } from "@effect-commerce/core/emaillink/EmailLinks"
import { askingPage, donePage } from "@effect-commerce/core/emaillink/UnsubscribePage"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { redirectTo } from "../middleware/Redirect.ts"
import { fromCompany } from "../middleware/Surfaces.ts"
import { EmailLinksGroup } from "./EmailLinkApi.ts"

/** Pages load nothing and send their form to this server only; links of mails are cached and passed on by nobody. */
const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'self'; " +
    "frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer"
}
const pageOf = (html: string) =>
  HttpServerResponse.text(html, { contentType: "text/html; charset=utf-8", headers: pageHeaders })

export const emailLinkEndpoints = endpointsOf(
  EmailLinksGroup,
  Effect.fnUntraced(function* (handlers) {
    const links = yield* EmailLinks
    return handlers.handleAll({
      ask: ({ params: { token } }) => Effect.map(links.languageOf(token), (language) => pageOf(askingPage(language))),
      unsubscribe: fromCompany((_, { params: { token } }) =>
        Effect.map(Effect.andThen(links.unsubscribe(token), links.languageOf(token)), (language) =>
          pageOf(donePage(language))
        )
      ),
      follow: ({ params: { token } }) => Effect.map(links.follow(token), (url) => redirectTo(url, "no-store"))
    })
  })
)

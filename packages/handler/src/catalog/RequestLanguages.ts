import { languagesWanted } from "@effect-commerce/core/kernel/Locale"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"

/** The languages of a request, best first: the asked `locale`, then Accept-Language. */
export const languagesOf = ({ locale }: { readonly locale?: string }) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => languagesWanted(locale, headers["accept-language"]))

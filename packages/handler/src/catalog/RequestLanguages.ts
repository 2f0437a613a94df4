import { languageAmong, languagesWanted } from "@effect-commerce/core/kernel/Locale"
import { defaultLanguage, type StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { Exchange } from "../middleware/Exchange.ts"

/**
 * The languages of a request, best first: the asked `locale`, then Accept-Language. The answer says for readers of
 * which of the store's languages it is (Content-Language).
 */
export const languagesOf = (store: StoreContext, { locale }: { readonly locale?: string }) =>
  Effect.map(Effect.all([HttpServerRequest.HttpServerRequest, Exchange]), ([request, { headers }]) => {
    const wanted = languagesWanted(locale, request.headers["accept-language"])
    const offered = new Map(store.languages.map((language) => [language.toLowerCase(), language]))
    const own = defaultLanguage(store)
    headers["content-language"] = offered.get(languageAmong(new Set(offered.keys()), wanted, own) ?? "") ?? own
    return wanted
  })

import { languageKept, languageShown, languagesWanted } from "@effect-commerce/core/kernel/Locale"
import { defaultLanguage, type StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { Exchange } from "./Exchange.ts"

/**
 * The languages of a request, best first: the asked `locale`, then Accept-Language. Content-Language names the store's
 * language of the response. If the first requested language is not one of the store's, some texts may be translated
 * into it and others not: then there is no Content-Language.
 */
export const languagesOf = (store: StoreContext, { locale }: { readonly locale?: string }) =>
  Effect.map(Effect.all([HttpServerRequest.HttpServerRequest, Exchange]), ([request, { headers }]) => {
    const wanted = languagesWanted(locale, request.headers["accept-language"])
    const language = languageShown(store.languages, wanted, defaultLanguage(store))
    if (language !== undefined) headers["content-language"] = language
    return wanted
  })

/**
 * The language of what a request creates, such as a cart; null, the store's own, if it asks for none. The store's
 * languages come before others that it asks for.
 */
export const languageKeptOf = (store: StoreContext, { locale }: { readonly locale?: string }) =>
  Effect.map(
    HttpServerRequest.HttpServerRequest,
    ({ headers }) => languageKept(store.languages, languagesWanted(locale, headers["accept-language"])) ?? null
  )

import { languageKept, languageShown, languagesWanted } from "@effect-commerce/core/kernel/Locale"
import { defaultLanguage, type StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { Exchange } from "./Exchange.ts"

/**
 * The languages of a request, best first: the asked `locale`, then Accept-Language. The answer says for readers of
 * which of the store's languages it is (Content-Language). Where they would rather have one that the store does not
 * name, some texts may be translated into it and others not: then nothing is said.
 */
export const languagesOf = (store: StoreContext, { locale }: { readonly locale?: string }) =>
  Effect.map(Effect.all([HttpServerRequest.HttpServerRequest, Exchange]), ([request, { headers }]) => {
    const wanted = languagesWanted(locale, request.headers["accept-language"])
    const language = languageShown(store.languages, wanted, defaultLanguage(store))
    if (language !== undefined) headers["content-language"] = language
    return wanted
  })

/**
 * The language of what a request begins, such as a cart; null, the store's own, where it asks for none. The store's
 * languages come before others that it asks for.
 */
export const languageKeptOf = (store: StoreContext, { locale }: { readonly locale?: string }) =>
  Effect.map(
    HttpServerRequest.HttpServerRequest,
    ({ headers }) => languageKept(store.languages, languagesWanted(locale, headers["accept-language"])) ?? null
  )

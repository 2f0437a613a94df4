/** The newsletter: the benefit that a merchant sets, and sign-ups of shoppers. */
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { boolean, string } from "@effect-commerce/core/kernel/Fields"
import { NewsletterBenefit, NewsletterBenefitInput } from "@effect-commerce/core/newsletter/NewsletterBenefit"
import { NewsletterTokenRejected } from "@effect-commerce/core/newsletter/NewsletterErrors"
import {
  ConfirmedSignup,
  NewsletterConfirmation,
  NewsletterSignupInput
} from "@effect-commerce/core/newsletter/NewsletterSignup"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { newsletterErrors } from "./newsletterErrors.ts"

const fails = failsBy(newsletterErrors)

export class NewsletterBenefitGroup extends apiGroup("newsletterBenefit", {
  part: "Admin",
  title: "Newsletter benefit",
  description: "The coupon that shoppers get for confirming a newsletter sign-up."
}).add(
  HttpApiEndpoint.get("get", "/v1/newsletter-benefit", { success: NewsletterBenefit }).pipe(
    adminRoute({
      summary: "Get the newsletter benefit",
      description:
        "Returns the coupon that welcomes to the newsletter. A store that has set nothing gets one that is off."
    })
  ),
  HttpApiEndpoint.put("set", "/v1/newsletter-benefit", {
    payload: NewsletterBenefitInput,
    success: NewsletterBenefit,
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      version: row("newsletterBenefit"),
      summary: "Set the newsletter benefit",
      description: "Replaces the coupon that welcomes to the newsletter. Coupons that were given stay as they are."
    })
  )
) {}

const channel = { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const SignedUp = Schema.Struct({ ok: boolean("Always true.", true) }).annotate({
  identifier: "SubscribedNewsletter",
  description: "The response to every sign-up."
})

export class NewsletterGroup extends apiGroup("newsletter", {
  part: "Storefront",
  title: "Newsletter",
  description: "Sign-ups for the newsletter, confirmed by a mail."
}).add(
  HttpApiEndpoint.post("subscribe", "/vc/:salesChannelId/newsletter/subscribe", {
    params: channel,
    payload: NewsletterSignupInput,
    success: SignedUp
  }).pipe(
    channelRoute("storefrontRead", {
      cap: { limit: 5, ms: 60_000 },
      summary: "Sign up for the newsletter",
      description:
        "Mails a link that confirms the sign-up, or, to a mailbox that has confirmed before, its coupon once more. " +
        "The response is the same for every address. At most 5 a minute from one IP address."
    })
  ),
  HttpApiEndpoint.post("confirm", "/vc/:salesChannelId/newsletter/confirm", {
    params: channel,
    payload: NewsletterConfirmation,
    success: ConfirmedSignup,
    error: fails(NewsletterTokenRejected)
  }).pipe(
    channelRoute("storefrontRead", {
      cap: { limit: 10, ms: 60_000 },
      summary: "Confirm a newsletter sign-up",
      description:
        "Confirms the sign-up that the token was mailed for and mints its coupon, if the store gives one: one for " +
        "each mailbox, which is also mailed. The same token may be sent again within its seven days and gets the " +
        "same coupon."
    })
  )
) {}

export const newsletterGroups = [NewsletterBenefitGroup, NewsletterGroup] as const

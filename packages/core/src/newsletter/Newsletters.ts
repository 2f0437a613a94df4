/**
 * Sign-ups for the newsletter, confirmed by the mailbox itself (double opt-in), and the coupon for it: one for each
 * mailbox of a store, however often it signs up or confirms. The response to a sign-up is the same for every address,
 * and takes the same time.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Coupons } from "../coupon/Coupons.ts"
import { hmacSha256Hex, sha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { mailTokenContext, mailTokenPurpose } from "../customer/CustomerEvents.ts"
import { Customers } from "../customer/Customers.ts"
import { Database } from "../database/Database.ts"
import { nextVersion } from "../database/Precondition.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { Suppressions } from "../emaillink/Suppressions.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { fieldsRejected } from "../kernel/FieldRejected.ts"
import { formatMoney } from "../kernel/Money.ts"
import { makeId } from "../kernel/Ids.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import {
  defaultBenefit,
  type NewsletterBenefitInput,
  type NewsletterBenefitState,
  readBenefit,
  toBenefitView
} from "./NewsletterBenefit.ts"
import { forgottenAddress } from "./ForgottenSignups.ts"
import { NewsletterTokenRejected } from "./NewsletterErrors.ts"
import { newsletterConfirmationAsked, newsletterWelcomed } from "./NewsletterEvents.ts"
import { NewsletterRepository, type SignupState } from "./NewsletterRepository.ts"
import {
  type ConfirmedSignup,
  maxMailsADay,
  type NewsletterSignupInput,
  signupTokenLifetime
} from "./NewsletterSignup.ts"

/** The least time of every sign-up, in milliseconds, so that it does not reveal what was done. */
const askingTime = 100
const dayMillis = 86_400_000
/** How many old sign-ups one transaction deletes. */
const sweptAtOnce = 500

/** The mails of the day to a mailbox, with one more. */
const mailsOf = (before: SignupState | undefined, now: number): Pick<SignupState, "mails" | "mailsSince"> =>
  before === undefined || before.mailsSince.getTime() + dayMillis <= now
    ? { mails: 1, mailsSince: new Date(now) }
    : { mails: before.mails + 1, mailsSince: before.mailsSince }

const withoutCoupon: ConfirmedSignup = { ok: true, coupon: null }

const rejected = (problems: Readonly<Record<string, string>>) =>
  fieldsRejected(problems) ?? Effect.die(new Error("A benefit without a problem was rejected"))

export class Newsletters extends Context.Service<Newsletters>()("@effect-commerce/core/newsletter/Newsletters", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* NewsletterRepository
    const coupons = yield* Coupons
    const customers = yield* Customers
    const stores = yield* Stores
    const secret = yield* RootSecret
    const outbox = yield* Outbox
    const suppressions = yield* Suppressions

    const seal = (store: StoreContext, signupId: string, text: string) =>
      secret.seal(mailTokenPurpose, mailTokenContext(store.id, signupId), text)

    /** Made of the sign-up and its time, so that a mail can be sent again with the same link. */
    const tokenOf = (store: StoreContext, { id, tokenExpiresAt }: Pick<SignupState, "id" | "tokenExpiresAt">) => {
      const key = Buffer.from(secret.derive(`newsletter-token/${store.id}`)).toString("hex")
      return hmacSha256Hex(key, `${id} ${tokenExpiresAt.getTime()}`)
    }

    const benefitOf = (store: StoreContext) =>
      Effect.map(repository.benefit(store.id), (found) => found ?? defaultBenefit(store))

    const setBenefit = Effect.fn("Newsletters.setBenefit")(function* (
      known: StoreContext,
      input: NewsletterBenefitInput
    ) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(known.id)(
        Effect.gen(function* () {
          const store = yield* stores.holdCurrency(known)
          const read = readBenefit(input, store.currency)
          if ("problems" in read) return yield* rejected(read.problems)
          const before = yield* repository.benefit(store.id)
          const at = new Date(now)
          const row: NewsletterBenefitState = {
            ...read,
            createdAt: before?.createdAt ?? at,
            updatedAt: before === undefined ? at : nextVersion(before.updatedAt, now)
          }
          yield* repository.putBenefit(store.id, row)
          return toBenefitView(row, store.currency)
        })
      )
    })

    const mailOf = ({ id: signupId, email, locale, salesChannelId }: SignupState) => ({
      signupId,
      email,
      locale,
      salesChannelId
    })

    /** The coupon of a mailbox as it is now; null where it has none, or the merchant has deleted it. */
    const couponOf = (store: StoreContext, { couponId }: Pick<SignupState, "couponId">) =>
      couponId === null
        ? Effect.succeed(null)
        : coupons.get(store, couponId).pipe(
            Effect.map(({ code, endsAt }) => ({ code, expiresAt: endsAt })),
            Effect.catchTag("CouponNotFound", () => Effect.succeed(null))
          )

    /**
     * Mails the token, or, to a mailbox that has confirmed before, its coupon once more. One that confirmed when there
     * was none to have confirms again for it, and one that has unsubscribed since confirms again.
     */
    const mail = Effect.fnUntraced(function* (store: StoreContext, signup: SignupState) {
      const isWaiting = signup.couponId === null && (yield* benefitOf(store)).isEnabled
      if (signup.confirmedAt === null || isWaiting || (yield* suppressions.has(store.id, signup.email)))
        return [
          newsletterConfirmationAsked.of({
            ...mailOf(signup),
            token: seal(store, signup.id, tokenOf(store, signup))
          })
        ]
      const coupon = yield* couponOf(store, signup)
      if (coupon === null) return []
      return [newsletterWelcomed.of({ ...mailOf(signup), ...coupon, code: seal(store, signup.id, coupon.code) })]
    })

    const signUp = Effect.fnUntraced(function* (
      store: StoreContext,
      salesChannelId: string,
      { email: given, locale }: NewsletterSignupInput
    ) {
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const email = normaliseEmail(given)
      yield* repository.lock(store.id, email)
      const before =
        (yield* repository.find(store.id, email)) ??
        (yield* repository.recall(store.id, forgottenAddress(secret, store.id, email), email))
      const counted = mailsOf(before, now)
      if (counted.mails > maxMailsADay) return
      const id = before?.id ?? makeId("sub", now)
      // A link that was mailed lately stays good.
      const isLate = before === undefined || before.tokenExpiresAt.getTime() < now + dayMillis
      const tokenExpiresAt = isLate ? new Date(now + signupTokenLifetime) : before.tokenExpiresAt
      const signup: SignupState = {
        id,
        email,
        salesChannelId,
        locale: locale ?? null,
        tokenHash: sha256Hex(tokenOf(store, { id, tokenExpiresAt })),
        tokenExpiresAt,
        ...counted,
        confirmedAt: before?.confirmedAt ?? null,
        couponId: before?.couponId ?? null,
        createdAt: before?.createdAt ?? at
      }
      if (yield* repository.save(store.id, signup)) yield* outbox.appendAll(store.id, yield* mail(store, signup))
    })

    const subscribe = Effect.fn("Newsletters.subscribe")(function* (
      store: StoreContext,
      salesChannelId: string,
      input: NewsletterSignupInput
    ) {
      const isTrapped = typeof input.honeypot === "string" && input.honeypot !== ""
      const work = isTrapped ? Effect.void : database.write(store.id)(signUp(store, salesChannelId, input))
      yield* Effect.all([work, Effect.sleep(askingTime)], { concurrency: 2 })
    })

    /** Mints the coupon of the benefit; null where it is off. */
    const mint = Effect.fnUntraced(function* (store: StoreContext, now: number) {
      const benefit = yield* benefitOf(store)
      if (!benefit.isEnabled) return null
      const { type, value, minimumOrderAmount, expiresInDays } = benefit
      const endsAt = new Date(now + expiresInDays * dayMillis)
      const minimum = minimumOrderAmount === null ? null : formatMoney(minimumOrderAmount, store.currency)
      const coupon = { title: "Newsletter", prefix: "NEWS", type, value, minimumOrderAmount: minimum, endsAt }
      return yield* Effect.catchTag(coupons.mint(store, coupon), "FieldRejected", ({ reason }) =>
        Effect.as(Effect.logError(`The newsletter benefit of ${store.id} makes no coupon: ${reason}`), null)
      )
    })

    /** The same token may come again, and gets the same coupon. */
    const confirm = Effect.fn("Newsletters.confirm")(function* (store: StoreContext, token: string) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const at = new Date(now)
          const tokenHash = sha256Hex(token)
          const mailbox = yield* repository.mailboxOf(store.id, tokenHash, at)
          if (mailbox === undefined) return yield* new NewsletterTokenRejected()
          // A customer is locked before anything that is kept of them.
          yield* customers.lockByEmail(store.id, mailbox)
          const signup = yield* repository.ofToken(store.id, tokenHash, at)
          if (signup === undefined) return yield* new NewsletterTokenRejected()
          yield* suppressions.lift(store.id, [{ email: signup.email, at }])
          if (signup.confirmedAt !== null && signup.couponId !== null) {
            const known: ConfirmedSignup = { ok: true, coupon: yield* couponOf(store, signup) }
            return known
          }
          if (signup.confirmedAt === null) yield* customers.setAcceptsMarketing(store.id, signup.email, true)
          const minted = yield* mint(store, now)
          yield* repository.confirm(store.id, signup.email, minted?.id ?? null, at)
          if (minted === null) return withoutCoupon
          const coupon = { code: minted.code, expiresAt: minted.endsAt }
          const code = seal(store, signup.id, coupon.code)
          yield* outbox.append(store.id, newsletterWelcomed, { ...mailOf(signup), ...coupon, code })
          const confirmed: ConfirmedSignup = { ok: true, coupon }
          return confirmed
        })
      )
    })

    return {
      benefit: (store: StoreContext) =>
        Effect.map(benefitOf(store), (benefit) => toBenefitView(benefit, store.currency)),
      setBenefit,
      subscribe,
      confirm,
      /** Deletes sign-ups that nobody confirmed in time. A worker runs it; any number of processes may. */
      sweep: Effect.flatMap(Clock.currentTimeMillis, (now) =>
        storesInTurn("Forgetting sign-ups that nobody confirmed", repository.storesWithOld(new Date(now)), (storeId) =>
          Effect.map(
            database.write(storeId)(repository.removeOld(storeId, new Date(now), sweptAtOnce)),
            (count) => count === sweptAtOnce
          )
        )
      )
    }
  })
}) {
  static readonly layer = Layer.effect(Newsletters, Newsletters.make).pipe(
    Layer.provide([NewsletterRepository.layer, Suppressions.layer])
  )
}

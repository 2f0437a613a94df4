/** Faults in the domains of mails, in unsubscribing, and in what is held back. */
import type { Fault } from "../plantedFaults.ts"

const domains = ["packages/handler/test/emaildomain/EmailDomains.pg.test.ts"]
const links = ["packages/handler/test/emaillink/EmailLinks.pg.test.ts"]
const merchants = ["packages/core/test/email/MerchantMails.pg.test.ts"]
const own = ["packages/core/test/email/OwnDomain.pg.test.ts"]
const core = (file: string) => `packages/core/src/${file}.ts`

export const emailDomainFaults: ReadonlyArray<Fault> = [
  {
    id: "emaildomain.ownership",
    breaks: "Any store sends mails from any domain whose owner uses this installation",
    file: core("emaildomain/EmailDomain"),
    find: "isSet: (texts) => texts.some((text) => text.trim() === ownership)",
    replace: 'isSet: (texts) => texts.some((text) => text.startsWith("commerce-verification="))',
    tests: domains,
    noticedBy: "is no other store's by its records"
  },
  {
    id: "emaildomain.required",
    breaks: "A domain counts as verified with any one of its records",
    file: core("emaildomain/EmailDomain"),
    find: "records.every(({ required, purpose }) => !required || found.has(purpose))",
    replace: "records.some(({ required, purpose }) => required && found.has(purpose))",
    tests: domains,
    noticedBy: "is verified with the required records"
  },
  {
    id: "emaildomain.servers-that-fail",
    breaks: "A name server that is away for a minute ends the domain of a store",
    file: core("emaildomain/EmailDomains"),
    find: "Effect.fail(new EmailDomainNotLookedUp({ domain: row.domain, reason }))",
    replace: "Effect.succeed<ReadonlyArray<RecordPurpose>>([])",
    tests: domains,
    noticedBy: "is 500 DOMAIN_VERIFICATION_FAILED and unchanged"
  },
  {
    id: "emaildomain.silent-servers",
    breaks: "Name servers of one store that do not answer hold up the looks at all others' domains",
    file: core("emaildomain/EmailDomains"),
    find: "const storesAtOnce = 16",
    replace: "const storesAtOnce = 1",
    tests: domains,
    noticedBy: "name servers that do not answer hold up no other"
  },
  {
    id: "emaildomain.still-verified",
    breaks: "Mails are sent from a domain whose records are gone",
    file: core("emaildomain/EmailDomainRepository"),
    find: "AND domain = ${domain} AND status = 'VERIFIED'`)",
    replace: "AND domain = ${domain} AND status <> 'PENDING'`)",
    tests: own,
    noticedBy: "come from the installation once the domain's records are gone"
  },
  {
    id: "emailsetting.foreign-domain",
    breaks: "A store sends from a domain that is not verified",
    file: core("emaildomain/EmailDomains"),
    find: 'Effect.map(repository.hold(storeId, id), (row) => (row?.status === "VERIFIED" ? row.domain : undefined))',
    replace: "Effect.map(repository.hold(storeId, id), (row) => row?.domain)",
    tests: domains,
    noticedBy: "is one of the store that is verified"
  },
  {
    id: "email.merchant-last",
    breaks: "The confirmation of an order waits behind mails to the owner",
    file: core("email/EmailMessage"),
    find: "return isForMerchant(type) ? mailPriority.merchant : mailPriority.other",
    replace: "return isForMerchant(type) ? mailPriority.token : mailPriority.other",
    tests: merchants,
    noticedBy: "no mail about an order waits behind one to the owner"
  },
  {
    id: "email.kept-for-orders",
    breaks: "A flood of mails to the owner uses up the hour of buyers",
    file: core("email/HourlyPace"),
    find: "mailsAllowed(fullAt, limit, now) > keptFor(limit)",
    replace: "mailsAllowed(fullAt, limit, now) > 0",
    tests: merchants,
    noticedBy: "a tenth of the hour's mails is kept"
  },
  {
    id: "email.merchant-starves",
    breaks: "The owner of a busy store never gets a mail",
    file: core("email/MailDelivery"),
    find: "turn: others && isMerchantTurn(fullAt, limit)",
    replace: "turn: false && isMerchantTurn(fullAt, limit)",
    tests: merchants,
    noticedBy: "get one turn in ten"
  },
  {
    id: "emaillink.open-redirect",
    breaks: "A link that anybody can write leads readers from the shop's name to a stranger's page",
    file: core("emaillink/MailLinkTokens"),
    find: "const isOurs = more.length === 0 && constantTimeEqual(signature, signatureOf(storeId, messageId, url))",
    replace: "const isOurs = more.length === 0 && constantTimeEqual(signature.slice(0, 0), url.slice(0, 0))",
    tests: links,
    noticedBy: "are counted by a redirect of this server"
  },
  {
    id: "emaillink.letters-of-a-header",
    breaks: "A counted link with an umlaut is answered with 500",
    file: "packages/handler/src/middleware/Redirect.ts",
    find: "location: new URL(url).href",
    replace: "location: url",
    tests: links,
    noticedBy: "lead on in the letters of a header"
  },
  {
    id: "emaillink.asked-first",
    breaks: "A program that checks links unsubscribes its reader",
    file: "packages/handler/src/emaillink/EmailLinkEndpoints.ts",
    find: "Effect.map(links.languageOf(token), (language) => pageOf(askingPage(language)))",
    replace:
      "Effect.map(Effect.andThen(links.unsubscribe(token), links.languageOf(token)), (language) => pageOf(askingPage(language)))",
    tests: links,
    noticedBy: "is asked about first"
  },
  {
    id: "emaillink.agreed-again",
    breaks: "The audit calls a mail wrong that its reader had agreed to again",
    file: core("emaillink/ConsentConsumer"),
    find: "return emailVerified && acceptsMarketing ? [agreed] : []",
    replace: "return emailVerified && acceptsMarketing ? [agreed].slice(1) : []",
    tests: links,
    noticedBy: "that was allowed between two refusals"
  },
  {
    id: "emaillink.since-the-first",
    breaks: "Who unsubscribes a second time hides the mails that came after the first",
    file: core("emaillink/EmailLinks"),
    find: "if (!(yield* suppressions.has(storeId, email))) yield* repository.suppress(storeId, email, at)",
    replace: "yield* repository.suppress(storeId, email, at)",
    tests: links,
    noticedBy: "that was allowed between two refusals"
  },
  {
    id: "email.unsubscribed-in-queue",
    breaks: "Who has unsubscribed still gets the mails that waited",
    file: core("email/internal/mailAttempt"),
    find: "if (canUnsubscribe(mail.eventType) && (yield* suppressions.has(storeId, mail.toAddress)))",
    replace: "if (canUnsubscribe(mail.eventType) && !(yield* suppressions.has(storeId, mail.toAddress)) && now < 0)",
    tests: links,
    noticedBy: "that waits when its reader unsubscribes"
  },
  {
    id: "email.paused-in-queue",
    breaks: "A pause of marketing lets the mails that wait through",
    file: core("email/MailDelivery"),
    find: "if (!may.marketing && isMarketing(mail.eventType))",
    replace: "if (!may.marketing && mail.attempts < 0)",
    tests: links,
    noticedBy: "that waits is held while marketing is paused"
  },
  {
    id: "email.refused-in-queue",
    breaks: "Who does not agree to marketing any more still gets the mails that waited",
    file: core("email/internal/mailAttempt"),
    find: "if (isMarketing(mail.eventType) && (yield* suppressions.isRefused(storeId, mail.toAddress)))",
    replace: "if (isMarketing(mail.eventType) && now < 0 && (yield* suppressions.isRefused(storeId, mail.toAddress)))",
    tests: links,
    noticedBy: "ended where its reader does not agree any more"
  },
  {
    id: "email.by-hand",
    breaks: "A key fills the database with mails that can never leave",
    file: core("email/TemplateMails"),
    find: "made.all >= settings.hourlyRateLimit * hoursOfDay",
    replace: "made.all < 0",
    tests: ["packages/handler/test/email/Email.pg.test.ts"],
    noticedBy: "is done as often in a day as mails can leave"
  },
  {
    id: "email.daily-limit",
    breaks: "Marketing mails that are asked for at once pass the limit of the day",
    file: core("email/TemplateMails"),
    find: "made.campaigns >= most",
    replace: "made.campaigns > most",
    tests: links,
    noticedBy: "is not sent to a customer who has not agreed"
  },
  {
    id: "email.token-switch",
    breaks: "A merchant switches password resets off and locks every shopper out",
    file: core("emailsetting/EmailSettings"),
    find: "if (needed !== undefined) return",
    replace: 'if (needed?.[0] === "") return',
    tests: ["packages/handler/test/email/Email.pg.test.ts"],
    noticedBy: "is 400 and changes nothing"
  },
  {
    id: "template.language",
    breaks: "A German shopper is written to in English",
    file: core("template/internal/mailWords"),
    find: 'language === "de" ? german : english',
    replace: 'english.length < 0 && language === "de" ? german : english',
    tests: ["packages/core/test/template/DefaultTemplates.test.ts"],
    noticedBy: "English and German say the same"
  }
]

/** Faults in mails: from the event to the reader, sent once, paced, with tokens sealed. */
import type { Fault } from "../plantedFaults.ts"

const delivery = ["packages/core/test/email/MailDelivery.pg.test.ts"]
const queue = ["packages/core/test/email/MailQueue.pg.test.ts"]
const room = (file: string) => `packages/core/src/email/${file}.ts`

export const mailFaults: ReadonlyArray<Fault> = [
  {
    id: "template.warnings",
    breaks: "The dashboard of a store with many templates cannot show them, for all that is said about them",
    file: "packages/core/src/template/TemplateLint.ts",
    find: "const mostBytes = 768",
    replace: "const mostBytes = 768_000",
    tests: ["packages/handler/test/email/TemplateWords.pg.test.ts"],
    noticedBy: "are shown at once in 8 MiB"
  },
  {
    id: "email.pace",
    breaks: "A store sends as many mails an hour as it likes, and its mail service locks it out",
    file: room("MailDelivery"),
    find: "fullAt: isFirst ? new Date(afterOneMail(fullAt, limit, now)) : pace.fullAt",
    replace: "fullAt: pace.fullAt",
    tests: delivery,
    noticedBy: "waits for its turn"
  },
  {
    id: "email.lease",
    breaks: "A mail that one worker is sending is sent by another one too",
    file: room("MailDelivery"),
    find: "until: new Date(now + leaseMillis),\n        fullAt",
    replace: "until: new Date(now),\n        fullAt",
    tests: delivery,
    noticedBy: "is left to another one after the lease"
  },
  {
    id: "email.refused-for-good",
    breaks: "A shopper whose mailbox is busy never hears of the order",
    file: "packages/core/src/smtp/SmtpTransport.ts",
    find: "responseCode >= 500",
    replace: "responseCode >= 400",
    tests: delivery,
    noticedBy: "refused with 4xx is tried again"
  },
  {
    id: "email.token-at-rest",
    breaks: "Whoever reads the store's mails can take over its customers' accounts",
    file: room("MailComposer"),
    find: "const seals = draft.token !== null && !transport.keeps",
    replace: "const seals = draft.token === null && !transport.keeps",
    tests: delivery,
    noticedBy: "stays in no row and in no log"
  },
  {
    id: "email.escape",
    breaks: "What a shopper typed into a form is markup in the mail",
    file: "packages/core/src/template/TemplateRenderer.ts",
    find: `this.#safe === "all" || this.#safe.has(token[1]) ? textOf(value) : escapeHtml(value)`,
    replace: "textOf(value)",
    tests: ["packages/core/test/template/TemplateRenderer.test.ts"],
    noticedBy: "triple ones of a variable nobody declared safe"
  },
  {
    id: "email.tenant",
    breaks: "A merchant reads the mails of every other store",
    file: room("EmailMessageRepository"),
    find: "sql<MessageState>`SELECT ${columns} FROM email_message WHERE store_id = ${storeId} ORDER BY seq",
    replace: "sql<MessageState>`SELECT ${columns} FROM email_message WHERE store_id <> '' ORDER BY seq",
    tests: ["packages/handler/test/email/Email.pg.test.ts"],
    noticedBy: "by none to others"
  },
  {
    id: "email.token-first",
    breaks: "A link to choose a new password waits behind whatever the store has queued, until it has ended",
    file: room("MailComposer"),
    find: "priority: mailPriority.token",
    replace: "priority: mailPriority.other",
    tests: queue,
    noticedBy: "let one with a token go first"
  },
  {
    id: "email.address-flood",
    breaks: "Orders placed with somebody's address fill their mailbox from the store",
    file: room("MailQueueRepository"),
    find: "const mostPerAddress = 20",
    replace: "const mostPerAddress = 2_000",
    tests: queue,
    noticedBy: "go to one address twenty times an hour"
  },
  {
    id: "email.one-recipient",
    breaks: "What passes for one address reaches two mailboxes, one of them a stranger's",
    file: "packages/core/src/kernel/Address.ts",
    find: "domain.test(text.slice(at + 1))",
    replace: 'text.slice(at + 1).includes(".")',
    tests: ["packages/core/test/email/Addresses.prop.test.ts"],
    noticedBy: "is one recipient and nothing else"
  },
  {
    id: "email.postal-address",
    breaks: "A mail that sells leaves without the postal address the law asks for",
    file: room("MailComposer"),
    find: "return postal === null ? offered : withPostalAddress(offered, postal)",
    replace: 'return postal === "" ? withPostalAddress(offered, postal) : offered',
    tests: ["packages/handler/test/email/Email.pg.test.ts"],
    noticedBy: "has the store's postal address at its end"
  },
  {
    id: "email.link-home",
    breaks: "A link to reset a password leads to the reader's own machine",
    file: room("MailLinks"),
    find: ".keeps ? ofKeptMails : null",
    replace: ".keeps ? ofKeptMails : ofKeptMails",
    tests: delivery,
    noticedBy: "where nobody has said where the shop is reached"
  },
  {
    id: "email.dashboard-template",
    breaks: "A store's staff write a template that sends them the password link of a person of other stores",
    file: room("MailComposer"),
    find: "  templates: [],\n  linkBase: () => null,",
    replace: "  linkBase: () => null,",
    tests: ["packages/core/test/email/DashboardMails.pg.test.ts"],
    noticedBy: "is the installation's, whatever the store has set"
  },
  {
    id: "email.dashboard-links",
    breaks: "The password link of a person of other stores leads to a page that one store has set",
    file: room("MailConsumer"),
    find: "dashboardBase: links.dashboard,",
    replace: "dashboardBase: links.dashboard ?? linkBase(null),",
    tests: ["packages/core/test/email/DashboardMails.pg.test.ts"],
    noticedBy: "has no link, and says where the token goes"
  }
]

/**
 * A domain that a store's mails may come from, with the DNS records that set it up. Ownership and the signature (DKIM)
 * are required; the records of senders (SPF) and of policy (DMARC) help mails arrive.
 */
import { Schema } from "effect"
import { arrayOf, boolean, described, nullableString, nullableTimestamp, string, timestamp } from "../kernel/Fields.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

export const emailDomainBound: StoreBound = { field: "domain", most: 10, words: "e-mail domains" }

export const DomainStatus = Schema.Literals(["PENDING", "VERIFIED", "FAILED"])
export type DomainStatus = typeof DomainStatus.Type

export const recordPurposes = ["OWNERSHIP", "DKIM", "SPF", "DMARC"] as const
export type RecordPurpose = (typeof recordPurposes)[number]
export type Checks = Readonly<Partial<Record<RecordPurpose, DomainStatus>>>

export interface EmailDomainState {
  readonly id: string
  readonly domain: string
  readonly status: DomainStatus
  readonly token: string
  readonly selector: string
  readonly publicKey: string
  /** Sealed. */
  readonly privateKey: string
  readonly checks: Checks
  readonly verifiedAt: Date | null
  readonly lastCheckedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const DnsRecord = Schema.Struct({
  type: described(Schema.Literal("TXT"), "Kind of record; always TXT."),
  name: string("Name of the record.", "ec3f9a1c._domainkey.shop.example.com"),
  value: string("What it holds.", "v=DKIM1; k=rsa; p=MIIB…"),
  purpose: described(
    Schema.Literals(recordPurposes),
    "OWNERSHIP proves that the domain is the store's, DKIM holds the key of its signatures, SPF and DMARC tell " +
      "readers of mails who sends for the domain and what to do with others."
  ),
  required: boolean("Whether the domain is verified only with it."),
  status: described(DomainStatus, "PENDING: not found yet. VERIFIED: found. FAILED: it was there and is not any more.")
}).annotate({ identifier: "EmailDomainRecord", description: "A DNS record to be set at the domain." })

const status = described(
  DomainStatus,
  "PENDING: its records have not been found yet. VERIFIED: mails may come from it. FAILED: its records were " +
    "removed; mails come from the installation's address until they are back."
)

/** On the wire. */
export const EmailDomain = Schema.Struct({
  id: string("Id of the domain.", "dom_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  storeId: string("The store that the domain belongs to."),
  domain: string("The domain, as DNS has it.", "shop.example.com"),
  status,
  dnsRecords: arrayOf(DnsRecord, "Records to be set at the domain's DNS."),
  provider: described(Schema.Literal("smtp"), "What sends the mails; always smtp."),
  providerIdentityId: described(Schema.Null, "The identity at a mail service; always null."),
  providerRegion: described(Schema.Null, "The region of a mail service; always null."),
  mailFromDomain: nullableString(
    "Domain of the return path: the installation's, which bounces go to. Null where mails are kept.",
    "commerce.example.com"
  ),
  dkimStatus: described(DomainStatus, "Whether the key of the signatures was found."),
  mailFromStatus: described(DomainStatus, "Whether the domain names the installation as a sender (SPF)."),
  resendDomainId: described(Schema.Null, "The domain at a mail service; always null."),
  verifiedAt: nullableTimestamp("When its records were first found; null until then."),
  lastCheckedAt: nullableTimestamp("When its records were last looked up."),
  createdAt: timestamp("When the domain was added."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({ identifier: "EmailDomain", description: "A domain that the store's mails may come from." })
export type EmailDomain = typeof EmailDomain.Type

export const NewEmailDomain = Schema.Struct({
  domain: described(Schema.String, "The domain that mails shall come from.", "shop.example.com")
}).annotate({ identifier: "CreateEmailDomain", description: "A domain to be set up." })
export type NewEmailDomain = typeof NewEmailDomain.Type

/** A record, and whether what was found at its name sets it up. */
export interface WantedRecord {
  readonly name: string
  readonly value: string
  readonly purpose: RecordPurpose
  readonly required: boolean
  readonly isSet: (texts: ReadonlyArray<string>) => boolean
}

const tagOf = (record: string, tag: string): string | undefined =>
  record
    .split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${tag}=`))
    ?.slice(tag.length + 1)
    .replace(/\s+/g, "")

const spfOf = (texts: ReadonlyArray<string>) => texts.filter((text) => /^v=spf1(?: |$)/i.test(text))

/** `senderDomain` is the installation's; null where mails are kept. */
export const wantedRecords = (
  { domain, token, selector, publicKey }: Pick<EmailDomainState, "domain" | "token" | "selector" | "publicKey">,
  senderDomain: string | null
): ReadonlyArray<WantedRecord> => {
  const ownership = `commerce-verification=${token}`
  const include = `include:${senderDomain ?? domain}`
  return [
    {
      name: `_commerce.${domain}`,
      value: ownership,
      purpose: "OWNERSHIP",
      required: true,
      isSet: (texts) => texts.some((text) => text.trim() === ownership)
    },
    {
      name: `${selector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${publicKey}`,
      purpose: "DKIM",
      required: true,
      // Two records at one name are an error to readers of mails (RFC 6376, 3.6.2.2).
      isSet: ([text, ...more]) => text !== undefined && more.length === 0 && tagOf(text, "p") === publicKey
    },
    {
      name: domain,
      value: `v=spf1 ${include} ~all`,
      purpose: "SPF",
      required: false,
      isSet: (texts) => {
        const [policy, ...more] = spfOf(texts)
        return policy !== undefined && more.length === 0 && policy.toLowerCase().split(/\s+/).includes(include)
      }
    },
    {
      name: `_dmarc.${domain}`,
      value: "v=DMARC1; p=none",
      purpose: "DMARC",
      required: false,
      isSet: (texts) => texts.some((text) => /^v=DMARC1\s*;/.test(text))
    }
  ]
}

/** The state after a look, by the records that were found. */
export const afterLook = (
  row: EmailDomainState,
  records: ReadonlyArray<WantedRecord>,
  found: ReadonlySet<RecordPurpose>,
  at: Date
): Pick<EmailDomainState, "status" | "checks" | "verifiedAt" | "lastCheckedAt" | "updatedAt"> => {
  const judged = (purpose: RecordPurpose): DomainStatus =>
    found.has(purpose) ? "VERIFIED" : (row.checks[purpose] ?? "PENDING") === "PENDING" ? "PENDING" : "FAILED"
  const isComplete = records.every(({ required, purpose }) => !required || found.has(purpose))
  return {
    status: isComplete ? "VERIFIED" : row.status === "PENDING" ? "PENDING" : "FAILED",
    checks: Object.fromEntries(recordPurposes.map((purpose) => [purpose, judged(purpose)])),
    verifiedAt: row.verifiedAt ?? (isComplete ? at : null),
    lastCheckedAt: at,
    updatedAt: at
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const toEmailDomain = (storeId: string, row: EmailDomainState, senderDomain: string | null): EmailDomain => ({
  id: row.id,
  storeId,
  domain: row.domain,
  status: row.status,
  dnsRecords: wantedRecords(row, senderDomain).map(({ isSet: _, ...record }) => ({
    type: "TXT",
    ...record,
    status: row.checks[record.purpose] ?? "PENDING"
  })),
  provider: "smtp",
  providerIdentityId: null,
  providerRegion: null,
  mailFromDomain: senderDomain,
  dkimStatus: row.checks.DKIM ?? "PENDING",
  mailFromStatus: row.checks.SPF ?? "PENDING",
  resendDomainId: null,
  verifiedAt: iso(row.verifiedAt),
  lastCheckedAt: iso(row.lastCheckedAt),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})

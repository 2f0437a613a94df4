/**
 * What other systems send to an app: kept byte for byte until the app has read it. An installation keeps its newest
 * events, at most so many bytes and for so long, so that no app fills the database; one that is older makes room. What
 * other apps of the store keep leaves each installation its share.
 */
import { Schema } from "effect"
import { integer, nullableString, oneOf, string, timestamp } from "../kernel/Fields.ts"
import { appInstallationBound } from "./AppInstallation.ts"

/** Bytes of one event. */
export const mostInboundBytes = 1_048_576

/** How long events are kept, in milliseconds: 7 days. */
export const inboundMillis = 7 * 86_400_000

/** Bytes that an installation, and all of a store together, may keep. */
const mostOfInstallation = 64 * 1_048_576
const mostOfStore = 512 * 1_048_576
/** Bytes of its newest events that an installation keeps whatever the others have: 5.12 MiB. */
const shareOfInstallation = Math.floor(mostOfStore / appInstallationBound.most)

/** What an event counts for beside its bytes: an installation keeps 65,536 at most. */
const chargeOfRow = 1_024
export const chargeOf = (body: Uint8Array): number => body.length + chargeOfRow

/** How much room is made at once, so that it is not made for each event. */
const roomMade = mostOfInstallation / 16

/** Bytes of an installation, and of all other installed apps of its store. */
export interface InboundUse {
  readonly own: number
  readonly others: number
}

/** How many bytes the installation is to give up; zero or less: none. Its share is never among them. */
export const roomWanted = ({ own, others }: InboundUse): number => {
  const over = Math.max(own - mostOfInstallation, own + others - mostOfStore)
  return over <= 0 ? 0 : Math.min(over + roomMade, own - shareOfInstallation)
}

/** Bytes of JSON on a page of the list. */
const mostOfPage = 4 * 1_048_576

/** How many rows of a page fit if each is as large as the largest. */
export const fittingRows = (asked: number, largest: number): number =>
  Math.max(1, Math.min(asked, Math.floor(mostOfPage / Math.max(1, largest))))

const topicPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/
export const topicProblem = (topic: string): string | undefined =>
  topicPattern.test(topic)
    ? undefined
    : "must be at most 100 letters, digits, dots, colons, hyphens or underscores, a letter or a digit first"

const longestContentType = 200
export const contentTypeOf = (given: string | undefined): string | null => {
  const type = given?.trim() ?? ""
  return type === "" ? null : type.slice(0, longestContentType)
}

export const ReceivedInbound = Schema.Struct({
  id: string("Id of the event, under which the list shows it.", "inb_01k9f3m2q7x4b8n6c5d1e0h2jk")
}).annotate({ identifier: "ReceivedInboundEvent", description: "The event is kept." })

export const InboundView = Schema.Struct({
  id: string("Id of the event.", "inb_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  topic: string("The topic that it was sent to.", "parcel.scanned"),
  contentType: nullableString("The media type that it was sent with.", "application/json"),
  encoding: oneOf(["utf8", "base64"], "How `body` holds the bytes: as text, or as base64 where they are no text."),
  body: string("What was sent, byte for byte.", '{"parcel":"7","place":"Hamburg"}'),
  size: integer("Bytes of what was sent.", 32),
  receivedAt: timestamp("When it arrived.")
}).annotate({ identifier: "InboundEvent", description: "What another system sent to an app." })
export type InboundView = typeof InboundView.Type

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Text where the bytes are text, else base64. */
export const encodedBody = (bytes: Uint8Array): Pick<InboundView, "encoding" | "body"> => {
  try {
    return { encoding: "utf8", body: utf8.decode(bytes) }
  } catch {
    return { encoding: "base64", body: Buffer.from(bytes).toString("base64") }
  }
}

const shownBesideBody = 500

/** Bytes of JSON that the event takes in a list. */
export const shownBytes = (bytes: Uint8Array): number =>
  Buffer.byteLength(JSON.stringify(encodedBody(bytes).body)) + shownBesideBody

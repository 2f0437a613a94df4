/** Faults in stores that move as a file, and in copies for staging. */
import type { Fault } from "../plantedFaults.ts"

const room = "packages/core/src/transfer"
const moved = ["packages/handler/test/transfer/RoundTrip.pg.test.ts"]
const refused = ["packages/handler/test/transfer/Refusals.pg.test.ts"]
const staged = ["packages/handler/test/transfer/Anonymised.pg.test.ts"]

export const transferFaults: ReadonlyArray<Fault> = [
  {
    id: "transfer.told-twice",
    breaks: "The new installation sends webhooks and mails of events that the old one sends too",
    file: `${room}/TransferredTables.ts`,
    find: "coalesce(t.relayed_at, $2::timestamptz)",
    replace: "t.relayed_at + ($2::timestamptz - $2::timestamptz)",
    tests: moved,
    noticedBy: "numbers events that were not relayed yet"
  },
  {
    id: "transfer.events-shuffled",
    breaks: "Events arrive in the order of their ids, and the feed of a moved store is out of order",
    file: `${room}/internal/rowSelection.ts`,
    find: "table.columns.find(({ counts }) => counts)",
    replace: 'table.columns.find(({ counts }) => counts && table.name === "")',
    tests: moved,
    noticedBy: "numbers events that were not relayed yet"
  },
  {
    id: "transfer.sequences-anew",
    breaks: "Events of a moved store are numbered anew, and receivers that compare sequences drop all that follow",
    file: `${room}/TransferredTables.ts`,
    find: "numbered: true,",
    replace: "numbered: false,",
    tests: moved,
    noticedBy: "goes on numbering events"
  },
  {
    id: "transfer.sequences-behind",
    breaks: "Events that come after an import have smaller sequences than those that it has brought",
    file: `${room}/StoreImport.ts`,
    find: "if ((yield* repository.numberEventsAfter(storeId)) !== true)",
    replace: 'if (storeId === "")',
    tests: moved,
    noticedBy: "goes on numbering events"
  },
  {
    id: "transfer.rows-at-once",
    breaks: "An export reads sixty-four rows at once, however large they are, and runs out of memory",
    file: `${room}/StoreExport.ts`,
    find: "last.ahead <= readBytes ? rowsAhead : 1",
    replace: "last.ahead < 0 ? 1 : rowsAhead",
    tests: moved,
    noticedBy: "reads two megabytes at once"
  },
  {
    id: "transfer.under-way-unsaid",
    breaks: "An export does not say that shoppers are about to pay at the old place",
    file: `${room}/TransferRepository.ts`,
    find: "count(*) FILTER (WHERE state = 'awaiting_shopper')::int AS awaiting_shopper",
    replace: "0 AS awaiting_shopper",
    tests: moved,
    noticedBy: "says how many payments are under way"
  },
  {
    id: "transfer.seals-carried",
    breaks: "A store with secrets that do not open keeps its subscriptions and providers switched on",
    file: `${room}/StoreImport.ts`,
    find: "const opens = header.seal === root.mark",
    replace: 'const opens = header.seal === root.mark || header.storeId !== ""',
    tests: moved,
    noticedBy: "comes without what does not open there"
  },
  {
    id: "transfer.app-without-token",
    breaks: "An app of a moved store has no token that could be renewed",
    file: `${room}/internal/arrivals.ts`,
    find: 'row["deleted_at"] === null',
    replace: 'row["deleted_at"] === undefined',
    tests: moved,
    noticedBy: "gives each app a token that nobody knows"
  },
  {
    id: "transfer.foreign-row",
    breaks: "A file may hold a row of another store",
    file: `${room}/internal/TransferReader.ts`,
    find: "if (owner !== storeId)",
    replace: "if (owner === undefined)",
    tests: refused,
    noticedBy: "a row of another store, naming the line"
  },
  {
    id: "transfer.changed-file",
    breaks: "A file in which a value was changed is imported",
    file: `${room}/internal/TransferReader.ts`,
    find: "end.sha256 !== this.#sum.hex()",
    replace: 'end.sha256 === ""',
    tests: refused,
    noticedBy: "a file that was changed"
  },
  {
    id: "transfer.files-left",
    breaks: "An import that was refused leaves its pictures in the storage",
    file: `${room}/StoreImport.ts`,
    find: "Effect.onError((cause) => takeBack(files, cause))",
    replace: "Effect.onError(() => Effect.void)",
    tests: refused,
    noticedBy: "a file that was cut"
  },
  {
    id: "transfer.pictures-taken",
    breaks: "An import that is refused deletes pictures that the storage had before, those of the old place",
    file: `${room}/internal/storedFiles.ts`,
    find: "if (there !== undefined) return Effect.void",
    replace: "",
    tests: refused,
    noticedBy: "leaves the pictures that its storage had before"
  },
  {
    id: "transfer.pictures-of-a-commit",
    breaks: "An import whose connection is lost at the commit deletes the pictures of the store that it has made",
    file: `${room}/StoreImport.ts`,
    find: "owner === undefined || Cause.hasDies(cause)",
    replace: "owner === undefined",
    tests: refused,
    noticedBy: "leaves pictures where nobody knows"
  },
  {
    id: "transfer.imports-meet",
    breaks: "Two imports of one store run at once, and one takes away pictures that the other relies on",
    file: `${room}/StoreImport.ts`,
    find: "if (!(yield* repository.alone(storeId)))",
    replace: 'if (!(yield* repository.alone(storeId)) && storeId === "")',
    tests: refused,
    noticedBy: "a second import of a store that is being imported"
  },
  {
    id: "transfer.long-line",
    breaks: "A line without an end fills the memory",
    file: `${room}/internal/lines.ts`,
    find: "if (this.#length > this.#longest)",
    replace: "if (this.#length < 0)",
    tests: refused,
    noticedBy: "a line that is longer than any of an export"
  },
  {
    id: "transfer.addresses-kept",
    breaks: "E-mail addresses in documents of an anonymised copy are those of real people",
    file: `${room}/MadeUpPeople.ts`,
    find: "[emailField, emailOf],",
    replace: "[emailField, (original) => original],",
    tests: staged,
    noticedBy: "has nothing of them"
  },
  {
    id: "transfer.reasons-kept",
    breaks: "What a merchant has written as the reason of a change stays in an anonymised copy where it is one word",
    file: `${room}/People.ts`,
    find: 'gift_card_transaction: { keep: "type", text: "reason" }',
    replace: 'gift_card_transaction: { keep: "type reason" }',
    tests: staged,
    noticedBy: "has nothing of them"
  },
  {
    id: "transfer.birthdays-kept",
    breaks: "Birthdays in events of an anonymised copy are those of real people",
    file: `${room}/MadeUpPeople.ts`,
    find: "|^birth(day|month|year|date)$",
    replace: "",
    tests: staged,
    noticedBy: "has no birthday, in columns and in events"
  },
  {
    id: "transfer.checkouts-opened",
    breaks: "Ids in an anonymised copy open the checkouts of the original",
    file: `${room}/MadeUpPeople.ts`,
    find: "const secretId = /\\b(cart|chk)_",
    replace: "const secretId = /\\b(cart)_",
    tests: staged,
    noticedBy: "has no id, token or hash that opens something"
  },
  {
    id: "transfer.live-copy",
    breaks: "The sales channels of a copy for staging take real payments",
    file: `${room}/TransferredTables.ts`,
    find: `sales_channel: { set: { mode: "'test'" } }`,
    replace: `sales_channel: { set: { mode: "'live'" } }`,
    tests: staged,
    noticedBy: "makes a store whose books agree"
  }
]

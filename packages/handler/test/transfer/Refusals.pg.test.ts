/** What is no export, was cut or changed, or does not fit here is refused by a sentence, and writes nothing. */
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { FaultPoint } from "@effect-commerce/core/database/FaultPoint"
import { StoreExport } from "@effect-commerce/core/transfer/StoreExport"
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { fillStore } from "../matrix/filledStore.ts"
import { countsOf, exported, imported, openClient, refusal, rowsIn } from "./transferShops.ts"
import { defaultInFile } from "../../../core/test/defaultInFile.ts"

let shop: TestCommerce
let target: TestCommerce
let file: string
let lines: ReadonlyArray<string>
const stored = memoryObjectStore()
/** What happens when every row is written, before the commit. */
let moment: Effect.Effect<void> = Effect.void

defaultInFile(FaultPoint.Faults, (name: string) =>
  name === "transfer.written" ? Effect.suspend(() => moment) : Effect.void
)
beforeAll(async () => {
  shop = await openTestCommerce()
  target = await openTestCommerce({ media: { store: stored } })
  await fillStore(shop, shop)
  file = await exported(shop, { media: true })
  lines = file.trimEnd().split("\n")
})
afterAll(async () => {
  await shop.close()
  await target.close()
})

/** A file of these lines with the right checksum and counts: as somebody makes it who knows the format. */
const sealedFile = (changed: ReadonlyArray<string>): string => {
  const body = changed.map((line) => `${line}\n`).join("")
  const rows: Record<string, number> = {}
  let files = 0
  for (const line of changed) {
    const { table, last } = JSON.parse(line) as { readonly table?: string; readonly last?: boolean }
    if (table !== undefined) rows[table] = (rows[table] ?? 0) + 1
    if (last === true) files += 1
  }
  const sha256 = createHash("sha256").update(body).digest("hex")
  return `${body}${JSON.stringify({ end: { rows, files, sha256 } })}\n`
}
const body = () => lines.slice(0, -1)
const lineOf = (table: string) => lines.findIndex((line) => line.startsWith(`{"table":"${table}"`)) + 1
const replaced = (number: number, change: (line: string) => string) =>
  sealedFile(body().map((line, i) => (i === number - 1 ? change(line) : line)))
const header = (change: object) => replaced(1, (line) => JSON.stringify({ ...JSON.parse(line), ...change }))

const cleared = () =>
  Effect.runPromise(Effect.forEach([...stored.objects.keys()], (key) => stored.remove(key), { discard: true }))

/** The keys of the files that a file brings. */
const picturesOf = (text: string): ReadonlyArray<string> =>
  [...new Set(text.match(/^\{"file":"[^"]+"/gm)?.map((start) => start.slice(9, -1)))].toSorted()

const refused = async (text: string | Buffer, accountId?: string): Promise<string> => {
  const reason = await refusal(imported(target, text, accountId))
  expect(await countsOf(target, shop.storeId), reason).toBe(0)
  expect(stored.objects.size).toBe(0)
  return reason
}

describe("an import refuses, and nothing is written", () => {
  it("what is no export of a store", async () => {
    for (const text of ["hello\n", "[]\n", "{}\n", '{"format":"something else"}\n', "\n"])
      expect(await refused(text)).toBe("the file is no export of a store: `commerce store export` writes one")
    expect(await refused("")).toBe("the file is empty")
    expect(await refused(`{"format":"effect-commerce store","version":1}\n`)).toBe("line 1 is no header of an export")
  })

  it("another version of the format, naming both and the remedy", async () => {
    expect(await refused(header({ version: 2 }))).toBe(
      "the file is of version 2 of the format, and this release reads version 1: import it with the release that wrote it"
    )
  })

  it("another schema, naming both and the remedy", async () => {
    const { schema } = JSON.parse(lines[0] ?? "") as { readonly schema: { readonly id: number; readonly name: string } }
    const ours = `${String(schema.id).padStart(4, "0")}_${schema.name}`
    expect(await refused(header({ schema: { id: 9_999, name: "later" } }))).toBe(
      `the file is of the schema 9999_later, and this database has ${ours}: upgrade this installation, run ` +
        "`commerce migrate`, and import again"
    )
    expect(await refused(header({ schema: { id: 12, name: "earlier" } }))).toBe(
      `the file is of the schema 0012_earlier, and this database has ${ours}: upgrade the installation it comes ` +
        "from, and export again"
    )
  })

  it("a file that was cut, at a line and within one, also in the middle of its pictures", async () => {
    const bytes = Buffer.from(file)
    for (const share of [0.2, 0.5, 0.9, 0.999]) {
      const reason = await refused(bytes.subarray(0, Math.floor(bytes.length * share)))
      expect(reason).toMatch(
        /^the file ends after line \d+, in the middle of the export: it was cut; export the store again$/
      )
    }
    expect(await refused(`${body().join("\n")}\n`)).toContain("it was cut")
    expect(await refused(file.trimEnd())).toContain("it was cut")
  })

  it("a file that was changed: a row less, a row more, another value, another line behind the end", async () => {
    const row = lineOf("product")
    expect(await refused(lines.filter((_, i) => i !== row - 1).join("\n") + "\n")).toMatch(
      /^the file has \d+ rows of product, and had \d+: it was changed$/
    )
    expect(await refused(file.replace(/"quantity":1\b/, '"quantity":2'))).toBe(
      "the file was changed since it was written: its checksum differs"
    )
    expect(await refused(`${file}${lines[2]}\n`)).toBe(`line ${lines.length + 1} comes after the end of the export`)
    expect(await refused(`${file}x`)).toBe(`line ${lines.length + 1} comes after the end of the export`)
  })

  it("a row of another store, naming the line", async () => {
    const line = lineOf("brand")
    expect(await refused(replaced(line, (text) => text.replace(shop.storeId, target.storeId)))).toBe(
      `line ${line}: a row of brand is of the store ${target.storeId}, and the file of ${shop.storeId}`
    )
    const store = lineOf("store")
    expect(await refused(replaced(store, (text) => text.replace(shop.storeId, target.storeId)))).toBe(
      `line ${store}: a row of store is of the store ${target.storeId}, and the file of ${shop.storeId}`
    )
  })

  it("tables and columns that are none of a store's, and lines that are none of an export", async () => {
    const line = lineOf("brand")
    const said = (change: (text: string) => string) => refused(replaced(line, change))
    expect(await said((text) => text.replace('"brand"', '"brando"'))).toBe(
      `line ${line}: no table of a store is called brando`
    )
    expect(await said((text) => text.replace('"brand"', '"api_key"'))).toBe(
      `line ${line}: no table of a store is called api_key`
    )
    expect(await said((text) => text.replace('"slug":', '"slugs":'))).toBe(`line ${line}: brand has no column slugs`)
    expect(await said((text) => text.replace('"slug":', '"slug":1,"extra":'))).toBe(
      `line ${line}: brand has no column extra`
    )
    expect(await said((text) => text.replace(/"slug":"[^"]*",/, ""))).toBe(`line ${line}: the row of brand has no slug`)
    expect(await said(() => '{"table":"brand","row":5}')).toBe(`line ${line}: the row is no object`)
    expect(await said(() => '{"what":1}')).toBe(`line ${line} is neither a row, nor a part of a file, nor the end`)
    const broken = body().map((text, i) => (i === line - 1 ? text.slice(0, -3) : text))
    expect(await refused(`${broken.join("\n")}\n`)).toBe(`line ${line} is no JSON`)
  })

  it("values that a column does not take, and rows that name others which are not there", async () => {
    const line = lineOf("stock")
    expect(await refused(replaced(line, (text) => text.replace(/"total":\d+/, '"total":"many"')))).toMatch(
      new RegExp(`^line ${line}: stock \\S+ does not fit: invalid input syntax for type integer: "many"$`)
    )
    const address = lineOf("customer_address")
    expect(
      await refused(replaced(address, (text) => text.replace(/"customer_id":"[^"]*"/, '"customer_id":"cust_x"')))
    ).toMatch(
      new RegExp(
        `^line ${address}: customer_address addr_\\S+ does not fit: insert or update on table "customer_address"`
      )
    )
  })

  it("a row that is there twice, naming its table and key", async () => {
    const line = lineOf("brand")
    const twice = body().flatMap((text, i) => (i === line - 1 ? [text, text] : [text]))
    const { id } = JSON.parse(lines[line - 1] ?? "").row as { readonly id: string }
    expect(await refused(sealedFile(twice))).toBe(
      `line ${line + 1}: brand ${id} exists already: duplicate key value violates unique constraint "brand_pkey"`
    )
  })

  it("an id that another store of this database has, naming table and id", async () => {
    const client = await openClient(target)
    const other = await target.openStore()
    await client.rows("UPDATE sales_channel SET id = $1 WHERE id = $2", [shop.channelId, other.channelId])
    expect(await refused(file)).toMatch(
      new RegExp(`^line \\d+: sales_channel ${shop.channelId} exists already: duplicate key value`)
    )
    await client.rows("UPDATE sales_channel SET id = $2 WHERE id = $1", [shop.channelId, other.channelId])
    await client.end()
  })

  it("a line that is longer than any of an export, without keeping it", async () => {
    const long = Buffer.concat([
      Buffer.from(`${lines[0]}\n{"table":"brand","row":{"x":"`),
      Buffer.alloc(19_000_000, 97)
    ])
    expect(await refused(long)).toBe(`line 2 is longer than ${18 * 1_048_576} bytes, which no line of an export is`)
  })

  it("files that are none of the store's, whose parts are not in order, or that are no files", async () => {
    const at = lines.findIndex((line) => line.startsWith('{"file"')) + 1
    expect(at).toBeGreaterThan(1)
    const changed = (change: object) =>
      refused(replaced(at, (text) => JSON.stringify({ ...JSON.parse(text), ...change })))
    expect(await changed({ file: `${target.storeId}/x.png` })).toBe(
      `line ${at}: the file ${target.storeId}/x.png is none of the store ${shop.storeId}`
    )
    for (const name of [`${shop.storeId}/../x.png`, `${shop.storeId}/..`, "x.png", `${shop.storeId}/a/b.png`])
      expect(await changed({ file: name })).toContain("is none of the store")
    expect(await changed({ part: 1 })).toMatch(/the parts of .* are not in order$/)
    expect(await changed({ part: "x" })).toBe(`line ${at} is no part of a file`)
  })

  it("an account that is not there, and a store that does not exist", async () => {
    expect(await refused(file, "acct_unknown")).toContain("AccountNotFound")
    const failed = shop.run(
      StoreExport.use((exporting) =>
        exporting.run({ storeId: "store_unknown", write: () => Effect.void })
      ) as unknown as Effect.Effect<unknown>
    )
    expect(await refusal(failed)).toContain("StoreNotFound")
  })

  it("nothing of a process that dies when every row is written", async () => {
    moment = Effect.interrupt
    await expect(imported(target, file)).rejects.toBeDefined()
    moment = Effect.void
    expect(await countsOf(target, shop.storeId)).toBe(0)
    expect(stored.objects.size).toBe(0)
  })

  it("and leaves the pictures that its storage had before: it may be that of the old place", async () => {
    const [first = ""] = picturesOf(file)
    const bytes = Buffer.from("of the old place")
    await Effect.runPromise(stored.put({ key: first, bytes, contentType: "image/png" }))
    const line = lineOf("brand")
    const twice = body().flatMap((text, i) => (i === line - 1 ? [text, text] : [text]))
    expect(await refusal(imported(target, sealedFile(twice)))).toContain("exists already")
    expect([...stored.objects].map(([key, bytes]) => [key, Buffer.from(bytes).toString()])).toEqual([
      [first, "of the old place"]
    ])
    await cleared()
  })

  it("and leaves pictures where nobody knows whether the rows were committed; the next try finds them", async () => {
    moment = Effect.die(new Error("the connection was lost"))
    await expect(imported(target, file)).rejects.toBeDefined()
    moment = Effect.void
    expect(await countsOf(target, shop.storeId)).toBe(0)
    expect([...stored.objects.keys()].toSorted()).toEqual(picturesOf(file))
    await cleared()
  })

  it("a second import of a store that is being imported, whose pictures stay", async () => {
    const { promise: written, resolve: isWritten } = Promise.withResolvers<void>()
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
    moment = Effect.andThen(
      Effect.sync(isWritten),
      Effect.promise(() => goesOn)
    )
    const first = imported(target, file)
    await written
    moment = Effect.void
    const second = refusal(imported(target, file))
    try {
      // One that is not refused would wait for the first, which waits for this test.
      await expect
        .poll(() => Promise.race([second, "not yet"]), { timeout: 20_000 })
        .toBe(`the store ${shop.storeId} is being imported by another process`)
    } finally {
      goOn()
      await Promise.all([first, second])
    }
    expect([...stored.objects.keys()].toSorted()).toEqual(picturesOf(file))
  })

  it("a store that exists, and changes nothing of it", async () => {
    const before = await countsOf(target, shop.storeId)
    expect(before).toBeGreaterThan(50)
    expect(stored.objects.size).toBeGreaterThan(0)
    expect(await refusal(imported(target, file))).toBe(
      `the store ${shop.storeId} exists in this database already: an import makes a store, and changes none`
    )
    expect(await countsOf(target, shop.storeId)).toBe(before)
    expect(stored.objects.size).toBeGreaterThan(0)
    expect(rowsIn(file, "store").length).toBe(1)
  })
})

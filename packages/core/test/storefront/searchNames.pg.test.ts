import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { chunksOf } from "../../src/storefront/internal/searchWords.ts"
import { searchMark } from "../../src/storefront/internal/searchVector.ts"
import { open, type TestDatabaseMethods } from "../../src/testing/TestDatabase.ts"

/** Names of brands and categories are made into words by PostgreSQL, all other texts by the process: both the same. */
let database: TestDatabaseMethods & { readonly close: () => Promise<void> }
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  database = await open()
  client = new pg.Client(database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.close()
})

const wordsOf = (text: string) => [
  ...new Set(chunksOf(text).flatMap(({ words, joined }) => (joined === undefined ? words : [...words, joined])))
]
const words = async (texts: ReadonlyArray<string>): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  (
    await client.query(
      "SELECT search_words(t) AS words FROM unnest($1::text[]) WITH ORDINALITY AS a (t, i) ORDER BY i",
      [texts]
    )
  ).rows.map((row) => row["words"] as ReadonlyArray<string>)

it("for every letter, digit and mark of the scripts of Europe, the Near East and East Asia, alone and within words", async () => {
  const ranges = [
    [0x21, 0x6ff],
    [0x900, 0x97f],
    [0xe00, 0xe7f],
    [0x1e00, 0x1fff],
    [0x2000, 0x206f],
    [0x2c60, 0x2c7f],
    [0x3000, 0x30ff],
    [0x4e00, 0x4eff],
    [0xac00, 0xac7f],
    [0xff00, 0xffef]
  ]
  const characters = ranges.flatMap(([from = 0, to = 0]) =>
    Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))
  )
  const texts = characters.flatMap((character) => [character, `a${character}b`])
  const made = await words(texts)
  const differing = texts.flatMap((text, i) => {
    const [ours, theirs] = [wordsOf(text).toSorted(), [...(made[i] ?? [])].toSorted()]
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ text, ours, theirs }]
  })
  expect(differing.map(({ text, ours, theirs }) => [text, ours.join(), theirs.join()].join(" "))).toEqual([])
})

it("for names as merchants give them", async () => {
  const names = [
    "L'Oréal",
    "AT&T",
    "H&M  Home",
    "Straße-Öfen",
    "日本語 テスト",
    "Łódź, Ørsted",
    "ΟΔΟΣ",
    "x".repeat(70),
    "🎉",
    ""
  ]
  expect((await words(names)).map((made) => made.toSorted())).toEqual(names.map((name) => wordsOf(name).toSorted()))
})

it("a store's mark is the same in both", async () => {
  const { rows } = await client.query("SELECT search_mark('store_1') AS mark")
  expect(rows[0]?.["mark"]).toBe(searchMark("store_1"))
})

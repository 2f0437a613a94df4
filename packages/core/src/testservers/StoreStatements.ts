/**
 * Which tables a statement reads or writes without saying of which store. A statement that compares `store_id` for each
 * of its tables goes to one shard of a schema that is distributed by store (docs/guides/beyond-one-machine.md).
 */

/** Words that may follow a table and are no alias of it. */
const noAlias = new Set(
  (
    "where set on order group limit for left right inner cross full join natural select values default returning " +
    "using union except intersect having offset lateral with as and or then else end loop do conflict is not in from"
  ).split(" ")
)

const plain = (sql: string): string =>
  sql
    .replaceAll(/--[^\n]*/g, " ")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, " ")

interface Mention {
  readonly table: string
  readonly alias: string
  readonly isInsert: boolean
  readonly columns: string
}

const mention = /(\b(?:FROM|JOIN|UPDATE|INTO|USING)|,) (?:ONLY )?"?(\w+)"?(?: (AS )?(\w+))?(?: ?\(([^()]*)\))?/gi

const mentionsIn = (text: string, tables: ReadonlySet<string>): ReadonlyArray<Mention> => {
  const found: Array<Mention> = []
  for (const [, word = "", table = "", as, next = "", columns = ""] of text.matchAll(mention)) {
    const isAlias = next !== "" && !noAlias.has(next.toLowerCase())
    // Behind a comma it may be a column: only one with a bare alias is a table there.
    if (!tables.has(table) || (word === "," && (!isAlias || as !== undefined))) continue
    found.push({ table, alias: isAlias ? next : table, isInsert: word.toUpperCase() === "INTO", columns })
  }
  return found
}

const compares = (text: string, { table, alias }: Mention): boolean =>
  [`${alias}\\.`, `${table}\\.`, "(?<![\\w.])"].some((before) =>
    new RegExp(
      `${before}store_id ?(?:=|IN\\b)|= ?${before}store_id\\b|\\(${before}store_id, ?[^()]*\\) ?(?:=|IN\\b|>|<)`,
      "i"
    ).test(text)
  ) || /USING \(store_id\b/i.test(text)

/** Names of the tables among `tables` that the statement does not name the store of. */
export const tablesWithoutStore = (sql: string, tables: ReadonlySet<string>): ReadonlyArray<string> => {
  const text = plain(sql)
  const bare = mentionsIn(text, tables).filter((one) =>
    one.isInsert ? !/\bstore_id\b/.test(one.columns) : !compares(text, one)
  )
  return [...new Set(bare.map(({ table }) => table))].toSorted()
}

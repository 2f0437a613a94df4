/**
 * Reads the lines of a store's file and refuses, naming the line, what is no such file, was cut or changed, or does not
 * fit this database. Used twice: for the whole file before anything is written, and then for its rows.
 */
import { Option, Schema } from "effect"
import { startSha256 } from "../../crypto/Hashing.ts"
import { ImportRefused } from "../TransferErrors.ts"
import {
  EndLine,
  FilePart,
  formatName,
  formatVersion,
  Header,
  longestLine,
  type Row,
  rowStart
} from "../TransferFormat.ts"
import type { TableFacts } from "../TableFacts.ts"
import { Lines } from "./lines.ts"
import { columnsOf } from "./rowSelection.ts"

export interface ReadRow {
  readonly kind: "row"
  readonly line: number
  readonly table: TableFacts
  readonly row: Row
  /** Its JSON as it stands in the file: numbers keep all their digits. */
  readonly text: string
}

export type ReadLine = ReadRow | { readonly kind: "file"; readonly line: number; readonly part: FilePart }

/** What the database is that a file is to go to. */
export interface Place {
  readonly tables: ReadonlyArray<TableFacts>
  readonly schema: { readonly id: number; readonly name: string }
}

const decodeHeader = Schema.decodeUnknownOption(Header)
const decodePart = Schema.decodeUnknownOption(FilePart)
const decodeEnd = Schema.decodeUnknownOption(EndLine)

const refuse = (reason: string): never => {
  throw new ImportRefused({ reason })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export class TransferReader {
  readonly #lines = new Lines(longestLine)
  readonly #sum = startSha256()
  readonly #tables: ReadonlyMap<string, TableFacts>
  readonly #schema: Place["schema"]
  readonly #columns = new Map<string, ReadonlySet<string>>()
  readonly #rows: Record<string, number> = {}
  #files = 0
  #header: Header | undefined
  #ended = false

  constructor({ tables, schema }: Place) {
    this.#tables = new Map(tables.map((table) => [table.name, table]))
    this.#schema = schema
  }

  /** Known after the first line. */
  get header(): Header | undefined {
    return this.#header
  }

  get rows(): Readonly<Record<string, number>> {
    return this.#rows
  }

  get files(): number {
    return this.#files
  }

  /** The lines that are complete with these bytes. Throws ImportRefused. */
  *take(chunk: Uint8Array): Generator<ReadLine> {
    for (const line of this.#lines.take(chunk)) {
      const read = this.#read(line.toString("utf8"), this.#lines.count)
      if (!this.#ended) {
        this.#sum.add(line)
        this.#sum.add("\n")
      }
      if (read !== undefined) yield read
    }
  }

  /** Throws ImportRefused where the file does not end with the end of an export. */
  end(): void {
    if (this.#header === undefined) refuse("the file is empty")
    if (!this.#ended)
      refuse(
        `the file ends after line ${this.#lines.count}, in the middle of the export: it was cut; export the store again`
      )
    if (this.#lines.isOpen) refuse(`line ${this.#lines.count + 1} comes after the end of the export`)
  }

  #read(text: string, line: number): ReadLine | undefined {
    if (this.#ended) refuse(`line ${line} comes after the end of the export`)
    const value = this.#json(text, line)
    if (this.#header === undefined) {
      this.#header = this.#readHeader(value)
      return undefined
    }
    if ("row" in value) return this.#readRow(this.#header, value, text, line)
    if ("file" in value) return this.#readPart(this.#header, value, line)
    if ("end" in value) this.#readEnd(value, line)
    else refuse(`line ${line} is neither a row, nor a part of a file, nor the end`)
    return undefined
  }

  #json(text: string, line: number): Readonly<Record<string, unknown>> {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return refuse(line === 1 ? noExport : `line ${line} is no JSON`)
    }
    return isObject(value) ? value : refuse(line === 1 ? noExport : `line ${line} is no object`)
  }

  #readHeader(value: Readonly<Record<string, unknown>>): Header {
    if (value["format"] !== formatName) return refuse(noExport)
    if (value["version"] !== formatVersion)
      return refuse(
        `the file is of version ${String(value["version"])} of the format, and this release reads version ` +
          `${formatVersion}: import it with the release that wrote it`
      )
    const header = Option.getOrUndefined(decodeHeader(value))
    if (header === undefined) return refuse("line 1 is no header of an export")
    const [theirs, ours] = [header.schema, this.#schema]
    if (theirs.id !== ours.id || theirs.name !== ours.name)
      return refuse(
        `the file is of the schema ${named(theirs)}, and this database has ${named(ours)}: ` +
          (theirs.id > ours.id
            ? "upgrade this installation, run `commerce migrate`, and import again"
            : "upgrade the installation it comes from, and export again")
      )
    return header
  }

  #readRow({ storeId }: Header, value: Readonly<Record<string, unknown>>, text: string, line: number): ReadRow {
    const name = String(value["table"])
    const row = value["row"]
    const table = this.#tables.get(name)
    if (table === undefined) return refuse(`line ${line}: no table of a store is called ${name}`)
    if (!isObject(row)) return refuse(`line ${line}: the row is no object`)
    this.#checkColumns(table, row, line)
    const owner = row[name === "store" ? "id" : "store_id"]
    if (owner !== storeId)
      return refuse(`line ${line}: a row of ${name} is of the store ${String(owner)}, and the file of ${storeId}`)
    this.#rows[name] = (this.#rows[name] ?? 0) + 1
    const start = rowStart(name)
    return {
      kind: "row",
      line,
      table,
      row,
      text: text.startsWith(start) && text.endsWith("}}") ? text.slice(start.length, -1) : JSON.stringify(row)
    }
  }

  #checkColumns(table: TableFacts, row: Row, line: number): void {
    let columns = this.#columns.get(table.name)
    if (columns === undefined) {
      columns = new Set(columnsOf(table).map(({ name }) => name))
      this.#columns.set(table.name, columns)
    }
    const names = Object.keys(row)
    const unknown = names.find((name) => columns?.has(name) !== true)
    if (unknown !== undefined) refuse(`line ${line}: ${table.name} has no column ${unknown}`)
    if (names.length === columns.size) return
    const missing = [...columns].find((name) => !Object.hasOwn(row, name))
    refuse(`line ${line}: the row of ${table.name} has no ${missing}`)
  }

  #readPart({ storeId }: Header, value: unknown, line: number): ReadLine {
    const part = Option.getOrUndefined(decodePart(value))
    if (part === undefined) return refuse(`line ${line} is no part of a file`)
    const [owner, name, ...more] = part.file.split("/")
    if (owner !== storeId || more.length > 0 || !/^[\w-][\w.-]{0,200}$/.test(name ?? ""))
      return refuse(`line ${line}: the file ${part.file} is none of the store ${storeId}`)
    if (part.last) this.#files += 1
    return { kind: "file", line, part }
  }

  #readEnd(value: unknown, line: number): void {
    const { end } = Option.getOrUndefined(decodeEnd(value)) ?? refuse(`line ${line} is no end of an export`)
    for (const name of new Set([...Object.keys(end.rows), ...Object.keys(this.#rows)])) {
      const [expected, found] = [end.rows[name] ?? 0, this.#rows[name] ?? 0]
      if (expected !== found) refuse(`the file has ${found} rows of ${name}, and had ${expected}: it was changed`)
    }
    if (end.files !== this.#files) refuse(`the file has ${this.#files} files, and had ${end.files}: it was changed`)
    if (end.sha256 !== this.#sum.hex()) refuse("the file was changed since it was written: its checksum differs")
    this.#ended = true
  }
}

const noExport = "the file is no export of a store: `commerce store export` writes one"
const named = ({ id, name }: Place["schema"]): string => `${String(id).padStart(4, "0")}_${name}`

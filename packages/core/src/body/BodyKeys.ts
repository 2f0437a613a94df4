/**
 * Checks the field names of a request body. An unknown name is an error that suggests the nearest field. Read-only
 * fields that responses of the same resource show are dropped, and a reference such as `{ id, name }` becomes its id,
 * so that a response can be sent back as a body. Objects with free names (`metadata`) are taken as they are.
 */
import type { Schema } from "effect"
import { BodyShape } from "./BodyShape.ts"
import type { FieldErrors } from "../kernel/FieldErrors.ts"
import { unknownName } from "./NearestName.ts"

export interface KnownKeys {
  /** The body without the dropped fields; the same object if nothing was dropped. */
  readonly value: unknown
  /** Errors for the first unknown names, by path. */
  readonly errors: FieldErrors
}

interface Place {
  readonly body: BodyShape
  readonly read: BodyShape
  readonly path: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const problemOf = (key: string, { body, path }: Place): string =>
  unknownName(key, body.names, path === "" && !body.isResource ? "this request" : body.noun)

const isReference = ({ body, read }: Place, value: Readonly<Record<string, unknown>>): boolean =>
  body.takesText && !body.isObject && read.has("id") && typeof value["id"] === "string"

const idOf = (value: unknown): unknown => (isObject(value) ? value["id"] : undefined)

/**
 * The value for `attributeId` or `optionIds` from a response: the id of `attribute`, the ids of `options`, or the
 * object's own id if it is an attribute.
 */
const referenceOf = (name: string, { body, read, path }: Place, value: Readonly<Record<string, unknown>>): unknown => {
  const [, stem, isMany] = /^(.+)Id(s?)$/.exec(name) ?? []
  if (stem === undefined) return undefined
  const shown = `${stem}${isMany === "s" ? "s" : ""}`
  const inner = read.has(shown) ? value[shown] : undefined
  if (isMany === "s") return Array.isArray(inner) ? inner.map(idOf) : undefined
  const isOwn = path !== "" && !body.has("id") && read.has("id") && read.noun.endsWith(stem.toLowerCase())
  return idOf(inner) ?? (isOwn ? value["id"] : undefined)
}

/** Checks bodies of the schema `bodies` against responses of the schemas `reads`. Collects at most `most` errors. */
export const makeBodyKeys = (
  bodies: ReadonlyArray<Schema.Top>,
  reads: ReadonlyArray<Schema.Top>,
  { also = [], most = 100 }: { readonly also?: ReadonlyArray<string>; readonly most?: number } = {}
): ((value: unknown) => KnownKeys) => {
  const top = {
    body: new BodyShape(bodies.map(({ ast }) => ast)),
    read: new BodyShape(reads.map(({ ast }) => ast)),
    path: ""
  }
  return (value) => {
    const found = new Map<string, string>()

    const readItems = (items: ReadonlyArray<unknown>, { body, read, path }: Place): unknown => {
      const kept = items.map((item, i) => readAt(item, { body: body.item, read: read.item, path: `${path}${i}.` }))
      return kept.every((item, i) => item === items[i]) ? items : kept
    }

    const readFields = (value: Readonly<Record<string, unknown>>, place: Place): unknown => {
      const { body, read, path } = place
      let same = true
      const kept: Array<readonly [string, unknown]> = []
      for (const [key, inner] of Object.entries(value)) {
        if (body.has(key)) {
          const known = readAt(inner, { body: body.field(key), read: read.field(key), path: `${path}${key}.` })
          same &&= known === inner
          kept.push([key, known])
        } else {
          same = false
          if (!read.has(key) && !(path === "" && also.includes(key)) && found.size < most)
            found.set(`${path}${key}`, problemOf(key, place))
        }
      }
      for (const name of body.names) {
        const reference = same || name in value ? undefined : referenceOf(name, place, value)
        if (reference !== undefined) kept.push([name, reference])
      }
      return same ? value : Object.fromEntries(kept)
    }

    const readAt = (value: unknown, place: Place): unknown => {
      if (!isObject(value) || place.body.isFree) return value
      if (Array.isArray(value)) return readItems(value, place)
      if (place.body.isObject) return readFields(value, place)
      return isReference(place, value) ? value["id"] : value
    }

    const kept = readAt(value, top)
    return { value: kept, errors: Object.fromEntries(found) }
  }
}

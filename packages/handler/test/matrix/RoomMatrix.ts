/**
 * What the tests over all routes need to know of a room: a thing of each kind, and bodies that its routes take or
 * refuse. A room's is in `test/<room>/matrix.ts`; `rooms.ts` lists them.
 */
import type { TestCommerce, TestStore } from "../../src/testing/TestCommerce.ts"

/** Ids by the path segment that precedes them. */
export type Ids = Readonly<Record<string, string>>

export interface Filling {
  readonly shop: TestCommerce
  readonly at: TestStore
  /** Calls a route with a key of the store. */
  readonly admin: (method: string, path: string, body?: object) => ReturnType<TestCommerce["call"]>
  /** The token of a customer of the store. */
  readonly token: string
  /** What earlier rooms have made. */
  readonly ids: Ids
}

/** A body that breaks two or more rules, and the fields that the error names. */
export interface FailingBody {
  readonly route: string
  readonly body: (ids: Ids) => object
  /** In the order in which they are named. */
  readonly fields: ReadonlyArray<string>
  readonly code?: string
}

export type Body = Readonly<Record<string, unknown>>

/** How a route answers an id that its store does not have. */
export interface IdCase {
  /** What else the body has. */
  readonly body?: (ids: Ids) => Body
  /** The thing of another store that is named too: a kind of `fillStore`. */
  readonly kind?: string
  /** 400 that names the field, where nothing else stands here: the fields, or the code of another status. */
  readonly answer?: readonly [number, ReadonlyArray<string> | string]
}

/** By route and path of the field: `POST /v1/products taxClassId`. */
export type Cases = Readonly<Record<string, IdCase>>

export interface RoomMatrix {
  /** Gives the store one of everything of the room. */
  readonly fill?: (filling: Filling) => Promise<Ids>
  /** Bodies that a route with an id in its path takes; without one it is sent an empty object. */
  readonly bodies?: Readonly<Record<string, object>>
  readonly failingBodies?: ReadonlyArray<FailingBody>
  /** Of every field that names something by its id. */
  readonly idCases?: Cases
  /** Fields that name something by its id and answer otherwise, and why. */
  readonly allowedIds?: Readonly<Record<string, string>>
}

/** An id that no store has. */
export const none = "none_1"

/** The same body for several routes. */
export const both = (
  paths: ReadonlyArray<string>,
  body: FailingBody["body"],
  fields: ReadonlyArray<string>
): ReadonlyArray<FailingBody> => paths.map((route) => ({ route, body, fields }))

/** The same fields of several routes. */
export const below = (routes: ReadonlyArray<string>, cases: Cases): Cases =>
  Object.fromEntries(
    routes.flatMap((route) => Object.entries(cases).map(([path, one]) => [`${route} ${path}`, one] as const))
  )

export const named = () => ({ name: "Named" })

export const channels: Cases = { salesChannelIds: { body: named, kind: "sales-channels" } }

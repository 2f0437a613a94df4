/**
 * What a room declares in its own files and a root or the room's declaration must list. Forgotten, some of it does not
 * compile with an error that names no file, and some is only missing: here each is named with the list it belongs to.
 */
import { isCode, roomOf, type Source } from "./sources.ts"

interface Declaration {
  /** Where it is declared. */
  readonly declared: RegExp
  /** Finds its name as the first group; without one, the file itself is what is declared. */
  readonly named?: RegExp
  /** How the list spells it, where that is not the name. */
  readonly spelled?: (name: string) => string
  /** Whether a file may be where it is listed. */
  readonly isList: (path: string, room: string | undefined) => boolean
  readonly list: string
}

/** A list in one file. */
const at = (list: string) => ({ list, isList: (path: string) => path === list })
/** In a file of the same room, whose name ends so. */
const inRoom = (packageName: string, ending: string) => ({
  list: `the …${ending} of packages/${packageName}/src/<room>`,
  isList: (path: string, room: string | undefined) =>
    path.startsWith(`packages/${packageName}/src/${room}/`) && path.endsWith(ending)
})

const declarations: ReadonlyArray<Declaration> = [
  {
    declared: /\/core\/src\/\w+\/\w+Room\.ts$/,
    named: /^export const (\w+Room) = \{/gm,
    ...at("packages/core/src/CommerceRooms.ts")
  },
  {
    declared: /\/core\/src\/\w+\/\w+Room\.ts$/,
    named: /^export const (\w+Room) = \{/gm,
    ...at("packages/core/src/CommerceCore.ts")
  },
  {
    declared: /\/core\/src\/(?!testing\/)\w+\/\w+\.ts$/,
    named: /^export class (\w+) extends Context\.Service\b(?=[\s\S]*\n  static readonly layer\b)/gm,
    spelled: (name) => `${name}.layer`,
    list: "the layer of the …Room.ts of packages/core/src/<room>",
    isList: () => true
  },
  { declared: /\/core\/src\//, named: /^export const (\w+Laws): ReadonlyArray<Law>/gm, ...inRoom("core", "Room.ts") },
  { declared: /\/core\/src\//, named: /^export const (\w+Bound): StoreBound/gm, ...inRoom("core", "Room.ts") },
  {
    declared: /\/core\/src\/\w+\/\w+Events\.ts$/,
    named: /^export const (\w+Events) = \[/gm,
    ...at("packages/core/src/CommerceEvents.ts")
  },
  {
    declared: /\/core\/src\/\w+\/\w+Events\.ts$/,
    named: /^(?:export )?const (\w+) = defineEvent\(/gm,
    ...inRoom("core", "Events.ts")
  },
  {
    declared: /\/handler\/src\/\w+\/\w+Room\.ts$/,
    named: /^export const (\w+Room) = \{/gm,
    ...at("packages/handler/src/rooms.ts")
  },
  {
    declared: /\/handler\/src\/\w+\/\w+Endpoints\.ts$/,
    named: /^export const (\w+Endpoints)\b/gm,
    ...inRoom("handler", "Room.ts")
  },
  {
    declared: /\/handler\/src\/(?!middleware\/)\w+\/\w+Errors\.ts$/,
    named: /^export const (\w+Errors): ErrorRows/gm,
    ...inRoom("handler", "Room.ts")
  },
  {
    declared: /\/handler\/src\/\w+\/\w+Api\.ts$/,
    named: /^export (?:const|class) (\w+Group)\b/gm,
    ...inRoom("handler", "Api.ts")
  },
  {
    declared: /\/handler\/src\/\w+\/\w+Api\.ts$/,
    named: /^export const (\w+Groups) = \[/gm,
    ...at("packages/handler/src/Api.ts")
  },
  { declared: /\/cli\/src\/seed\/load\w+\.ts$/, ...at("packages/cli/src/seed/sections.ts") }
]

const nameOf = (path: string): string => path.split("/").at(-1) ?? ""

const withoutImports = (text: string): string => text.replace(/^import [^;]*? from "[^"]*"$/gm, "")

/** One line for each declaration that no list has. */
export const uncollected = (sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const code = sources.filter(isCode).map(({ path, text }) => ({ path, text: withoutImports(text) }))
  return declarations.flatMap(({ declared, named, spelled = (name) => name, isList, list }) =>
    code
      .filter(({ path }) => declared.test(path))
      .flatMap(({ path, text }) => {
        const names = named === undefined ? [nameOf(path)] : [...text.matchAll(named)].map(([, name = ""]) => name)
        const lists = code.filter((one) => isList(one.path, roomOf(path)))
        return names
          .map(spelled)
          .filter((name) => !lists.some((one) => one.text.includes(name) && isUsed(name, one.text)))
          .map((name) => `${path}: add ${name} to ${list.replaceAll("<room>", roomOf(path) ?? "")}`)
      })
  )
}

/** More than its declaration. */
const isUsed = (name: string, text: string): boolean =>
  new RegExp(`(?<!\\w)(?<!\\w\\.)(?<!(?:const|class) )${name.replaceAll(".", "\\.")}\\b`).test(text)

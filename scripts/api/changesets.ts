/** The changesets that wait for a release, and whether they say what has changed of the API. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Change } from "./compareSchemas.ts"

/** The package whose version the API has. */
const apiPackage = "@effect-commerce/handler"

export interface Changeset {
  readonly name: string
  readonly text: string
}

const folder = join(import.meta.dirname, "../../.changeset")

export const readChangesets = (): ReadonlyArray<Changeset> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }))

/** Whether the accepted document was written with the changesets that are there: by `--write`, after the last of them. */
export const areAccepted = (changesets: ReadonlyArray<Changeset>, known: ReadonlyArray<string>): boolean =>
  JSON.stringify(changesets.map(({ name }) => name).toSorted()) === JSON.stringify(known.toSorted())

const bumpOf = ({ text }: Changeset): string | undefined => {
  const head = /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? ""
  return head
    .split("\n")
    .map((line) => /^["']?([^"']+)["']?:\s*(\w+)\s*$/.exec(line))
    .find((found) => found?.[1] === apiPackage)?.[2]
}

/** What is missing before the changes may be accepted; undefined where nothing is. `known` were there before. */
export const lacking = (
  changes: ReadonlyArray<Change>,
  changesets: ReadonlyArray<Changeset>,
  known: ReadonlyArray<string>
): string | undefined => {
  if (changes.length === 0) return undefined
  const bumps = changesets.filter(({ name }) => !known.includes(name)).map(bumpOf)
  if (bumps.every((bump) => bump === undefined))
    return `a new changeset that names ${apiPackage} (npx changeset): say there what callers of the API notice`
  if (changes.some(({ verdict }) => verdict === "BREAKING") && !bumps.includes("major"))
    return `a new changeset with "${apiPackage}": major, because this breaks programs`
  return undefined
}

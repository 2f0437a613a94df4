/** The README as it is printed, to be run: its sections and their blocks of code, in their order. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"

const text = readFileSync(resolve(import.meta.dirname, "../../../README.md"), "utf8")

export interface Block {
  readonly language: string
  readonly text: string
}

export const blocksOf = (heading: string): ReadonlyArray<Block> => {
  const [, section] = text.split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`README.md has no section "${heading}"`)
  const [own = ""] = section.split("\n## ")
  return [...own.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", block = ""]) => ({
    language,
    text: block
  }))
}

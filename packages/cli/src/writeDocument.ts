/** The work of `commerce openapi`. */
import { writeFile } from "node:fs/promises"
import { Api } from "@effect-commerce/handler/Api"
import { makeApiDocument } from "@effect-commerce/handler/system/ApiDocument"
import { Effect } from "effect"
import { note, printText } from "./print.ts"
import { Refused } from "./Refused.ts"

/** To a file, to standard output, or with `json` to both. */
export const writeDocument = async (out: string | undefined, json: boolean): Promise<void> => {
  const text = `${JSON.stringify(await Effect.runPromise(makeApiDocument(Api)), null, 2)}\n`
  if (out === undefined) return printText(text)
  await writeFile(out, text).catch((error: NodeJS.ErrnoException) => {
    throw new Refused(`${out} cannot be written: ${error.code ?? error.message}`)
  })
  note(`written to ${out}`)
  if (json) printText(text)
}

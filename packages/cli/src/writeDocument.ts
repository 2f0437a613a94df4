import { writeFile } from "node:fs/promises"
import { Api } from "@effect-commerce/handler/Api"
import { OpenApi } from "effect/http-api"

export const writeDocument = async (out: string | undefined): Promise<void> => {
  const text = `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`
  if (out === undefined) process.stdout.write(text)
  else await writeFile(out, text)
}

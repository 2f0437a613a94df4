/**
 * Writes the recorded samples of the API document: `npm run samples`. Where the demo store, the walk or an answer has
 * changed, a test says so.
 */
import { startTestServer, testServerVariable } from "@effect-commerce/core/testing/TestServer"
import { writeFileSync } from "node:fs"
import { recordedFiles } from "./samples/recordedFiles.ts"

const { server, stop } = await startTestServer()
process.env[testServerVariable] = JSON.stringify(server)
try {
  for (const { path, text } of await recordedFiles()) writeFileSync(path, text)
} finally {
  await stop()
}

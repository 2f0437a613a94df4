import { expect, it } from "vitest"
import { encodingFor } from "../../src/middleware/AcceptedEncoding.ts"

it.each([
  [undefined, undefined],
  ["", undefined],
  ["identity", undefined],
  ["deflate, zstd", undefined],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["GZIP;Q=0.5", "gzip"],
  ["br;q=0.3, gzip;q=0.8", "gzip"],
  ["br;q=0, gzip;q=0.1", "gzip"],
  ["gzip;q=0, br; q=0.0", undefined],
  ["*", "br"],
  ["*;q=0.2, br;q=0", "gzip"],
  ["*;q=0", undefined],
  ["gzip;q=nonsense", undefined],
  ["identity;q=1, gzip;q=0.5", undefined]
])("of %j is %j", (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding)
})

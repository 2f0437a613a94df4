import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { putInPlace } from "../../../scripts/putInPlace.ts"

const folder = mkdtempSync(join(tmpdir(), "commerce-dist-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (place: string, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, place, name)), { recursive: true })
    writeFileSync(join(folder, place, name), text)
  }
}

it("a new program takes the place of the old one: parts that may still be in use stay for a day, migrations that are gone do not", () => {
  const [fresh, dist] = [join(folder, "fresh"), join(folder, "dist")]
  write("dist", {
    "main.js": "old",
    "part-OLD.js": "",
    "part-USED.js": "",
    "migrations/0001_first.sql": "1",
    "migrations/0002_renamed.sql": "2"
  })
  write("fresh", {
    "main.js": "new",
    "part-NEW.js": "",
    NOTICE: "",
    "migrations/0001_first.sql": "1",
    "migrations/0003_renamed.sql": "2"
  })
  const began = new Date("2030-01-02T00:00:00Z")
  const [dayBefore, justNow] = [new Date("2029-12-31T23:00:00Z"), new Date("2030-01-01T23:00:00Z")]
  utimesSync(join(dist, "part-OLD.js"), dayBefore, dayBefore)
  utimesSync(join(dist, "part-USED.js"), justNow, justNow)
  putInPlace(fresh, dist, began)
  expect(globSync("**/*.{js,sql}", { cwd: dist }).sort()).toEqual([
    "main.js",
    "migrations/0001_first.sql",
    "migrations/0003_renamed.sql",
    "part-NEW.js",
    "part-USED.js"
  ])
  expect([readFileSync(join(dist, "main.js"), "utf8"), statSync(join(dist, "main.js")).mode & 0o777]).toEqual([
    "new",
    0o755
  ])
  expect(statSync(join(dist, "main.js")).mtimeMs).toBe(began.getTime())
  expect(existsSync(join(fresh, "main.js"))).toBe(false)
})

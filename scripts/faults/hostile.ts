/** Faults in what strangers send, and in the list of what changes in the API. */
import type { Fault } from "../plantedFaults.ts"

const edge = (name: string) => [`packages/handler/test/edge/${name}.pg.test.ts`]
const changes = ["packages/handler/test/system/ApiChanges.test.ts"]

export const hostileFaults: ReadonlyArray<Fault> = [
  {
    id: "body.announced-too-large",
    breaks: "A server waits half a minute for a body that it will refuse",
    file: "packages/handler/src/middleware/Body.ts",
    find: `if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Effect.fail(new PayloadTooLarge({ maxBytes }))`,
    replace: "",
    tests: edge("BodyLimits"),
    noticedBy: "is not waited for: JSON"
  },
  {
    id: "body.name-of-every-object",
    breaks: "A body with the name constructor is an internal error",
    file: "packages/core/src/body/NearestName.ts",
    find: "Object.hasOwn(otherWords, word) ? otherWords[word]?.find((name) => names.includes(name)) : undefined",
    replace: "otherWords[word]?.find((name) => names.includes(name))",
    tests: edge("MalformedHttp"),
    noticedBy: "a constructor"
  },
  {
    id: "http.hostless",
    breaks: "A request that names no host gets an empty answer",
    file: "packages/handler/src/adapters/httpServer.ts",
    find: "requireHostHeader: false",
    replace: "requireHostHeader: true",
    tests: edge("MalformedHttp"),
    noticedBy: "no host"
  },
  {
    id: "media.redirect-unguarded",
    breaks: "A merchant reads the operator's own network by way of a redirect",
    file: "packages/core/src/outbound/GuardedFetch.ts",
    find: `addresses.split(" ").every((address) => mayReach(address, policy))`,
    replace: `addresses.split(" ").every((address) => address !== "" || mayReach(address, policy))`,
    tests: edge("ForbiddenPlaces"),
    noticedBy: "behind redirects"
  },
  {
    id: "contract.removed-field",
    breaks: "A field is removed from responses, and the check reports an addition",
    file: "scripts/api/compareSchemas.ts",
    find: `report("BREAKING", place, way === "request" ? "is no longer taken" : "is no longer there")`,
    replace: `report("added", place, way === "request" ? "is no longer taken" : "is no longer there")`,
    tests: changes,
    noticedBy: "a field of an answer that is renamed"
  },
  {
    id: "contract.major-unasked",
    breaks: "A change that breaks programs is released as a small one",
    file: "scripts/api/changesets.ts",
    find: `changes.some(({ verdict }) => verdict === "BREAKING")`,
    replace: `changes.some(({ verdict }) => verdict === "added")`,
    tests: changes,
    noticedBy: "needs a major one where something breaks"
  }
]

/** One fault for each law of installed apps. */
import type { Plant } from "./plants.ts"

const installed = (store: string) =>
  `INSERT INTO app_installation (store_id, id, name, slug, tier, scopes, token_prefix, secrets_updated_at, created_at, updated_at)
    VALUES ('${store}', 'inst_1', 'App', 'app', 'other', '{mappings:read}', 'app_inst_', now(), now(), now())`
const token = (store: string) => `INSERT INTO app_token VALUES ('hash', '${store}', 'inst_1')`

export const appPlants: ReadonlyArray<Plant> = [
  {
    law: "app.token",
    plant: ({ store }) => [installed(store)],
    told: () => ({ id: "inst_1", expected: "1", found: "0" })
  },
  {
    law: "app.mappings",
    plant: ({ store }) => [installed(store), token(store), "UPDATE app_installation SET mappings = 3"],
    told: () => ({ id: "inst_1", expected: "0", found: "3" })
  },
  {
    law: "app.mapping-bytes",
    plant: ({ store }) => [installed(store), token(store), "UPDATE app_installation SET mapping_bytes = 9"],
    told: () => ({ id: "inst_1", expected: "0", found: "9" })
  },
  {
    law: "app.inbound",
    plant: ({ store }) => [installed(store), token(store), "UPDATE app_installation SET inbound_bytes = 7"],
    told: () => ({ id: "inst_1", expected: "0", found: "7" })
  }
]

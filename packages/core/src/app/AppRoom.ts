/** The services of the app room, and what it declares. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { AppCleanup } from "./AppCleanup.ts"
import { AppInboundEvents } from "./AppInboundEvents.ts"
import { appInstallationBound } from "./AppInstallation.ts"
import { AppInstallations } from "./AppInstallations.ts"
import { appLaws } from "./appLaws.ts"
import { AppMappings } from "./AppMappings.ts"
import { AppSecrets } from "./AppSecrets.ts"

export const appRoom = {
  layer: Layer.mergeAll(
    AppInstallations.layer,
    AppMappings.layer,
    AppSecrets.layer,
    AppInboundEvents.layer,
    AppCleanup.layer
  ),
  rows: {
    appInstallation: { table: "app_installation", keepsDeleted: true, lockFirst: "store" },
    appMapping: { table: "app_mapping", parent: "installation_id", lockFirst: { parentTable: "app_installation" } }
  },
  bounds: [appInstallationBound],
  laws: appLaws
} as const satisfies Room

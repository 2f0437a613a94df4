/** People of the dashboard: their log-in, their sessions, and the teams of stores. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { DashboardAccounts } from "./DashboardAccounts.ts"
import { DashboardSessions } from "./DashboardSessions.ts"
import { Installations } from "./Installations.ts"
import { StoreOwners } from "./StoreOwners.ts"
import { teamLaws } from "./teamLaws.ts"
import { teamBound } from "./TeamMember.ts"
import { Teams } from "./Teams.ts"

export const teamRoom = {
  layer: Layer.mergeAll(DashboardAccounts.layer, Teams.layer, StoreOwners.layer, Installations.layer).pipe(
    Layer.provideMerge(DashboardSessions.layer)
  ),
  rows: { teamMember: { table: "team_member", lockFirst: "team_member" } },
  laws: teamLaws,
  bounds: [teamBound]
} as const satisfies Room

/** What a room of core declares once, in its `<Room>Room.ts`; CommerceRooms.ts lists the rooms. */
import type { StoreBound } from "../kernel/StoreBound.ts"
import type { Law } from "./Law.ts"
import type { VersionedRows } from "./RowVersions.ts"

export interface Room {
  /** Its services; a function where they need settings. CommerceCore.ts puts the layers of the rooms together. */
  readonly layer: unknown
  /** The rows whose version If-Match is checked against before a use case runs. */
  readonly rows?: VersionedRows
  /** How many rows of its resources a store may have. */
  readonly bounds?: ReadonlyArray<StoreBound>
  /** What `commerce audit` checks of its tables. */
  readonly laws?: ReadonlyArray<Law>
}

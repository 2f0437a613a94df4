import type { Room } from "../middleware/Room.ts"
import { downloadEndpoints } from "./DownloadEndpoints.ts"
import { downloadErrors } from "./downloadErrors.ts"

export const downloadRoom = { endpoints: downloadEndpoints, errors: downloadErrors } as const satisfies Room

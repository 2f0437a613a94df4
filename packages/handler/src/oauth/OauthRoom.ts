import type { Room } from "../middleware/Room.ts"
import { oauthEndpoints } from "./OauthEndpoints.ts"
import { oauthErrors } from "./oauthErrors.ts"

export const oauthRoom = { endpoints: oauthEndpoints, errors: oauthErrors } as const satisfies Room

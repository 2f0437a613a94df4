import type { Room } from "../middleware/Room.ts"
import { giftCardEndpoints } from "./GiftCardEndpoints.ts"
import { giftCardErrors } from "./giftCardErrors.ts"

export const giftCardRoom = { endpoints: giftCardEndpoints, errors: giftCardErrors } as const satisfies Room

import type { Room } from "../middleware/Room.ts"
import { couponEndpoints } from "./CouponEndpoints.ts"
import { couponErrors } from "./couponErrors.ts"

export const couponRoom = { endpoints: couponEndpoints, errors: couponErrors } as const satisfies Room

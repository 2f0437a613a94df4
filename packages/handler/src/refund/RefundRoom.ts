import type { Room } from "../middleware/Room.ts"
import { refundEndpoints } from "./RefundEndpoints.ts"
import { refundErrors } from "./refundErrors.ts"

export const refundRoom = { endpoints: refundEndpoints, errors: refundErrors } as const satisfies Room

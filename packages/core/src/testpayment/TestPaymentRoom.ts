/** The service of the room of the `test` provider. */
import type { Room } from "../database/Room.ts"
import { TestProvider } from "./TestProvider.ts"

export const testPaymentRoom = { layer: TestProvider.layer } as const satisfies Room

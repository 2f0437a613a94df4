/** The service of the link room. Needs the root secret. */
import type { Room } from "../database/Room.ts"
import { SignedLinks } from "./SignedLinks.ts"

export const linkRoom = { layer: SignedLinks.layer } as const satisfies Room

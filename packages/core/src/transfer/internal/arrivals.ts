/**
 * What becomes of a row where it arrives: whose the store is, secrets that do not open here, and credentials that every
 * installation has its own of.
 */
import { randomSecret, sha256Hex } from "../../crypto/Hashing.ts"
import type { RootSecret } from "../../crypto/RootSecret.ts"
import { newSecret } from "../../crypto/WebhookSigner.ts"
import { prefixOf, secretContext, secretPurpose } from "../../webhook/WebhookSubscription.ts"
import { noSecret, unsealed, withoutSeals } from "../Seals.ts"
import type { Row } from "../TransferFormat.ts"
import type { NewRow } from "./batches.ts"
import type { ReadRow } from "./TransferReader.ts"

export interface Arrival {
  readonly storeId: string
  readonly accountId: string
  /** Whether what is sealed opens here. */
  readonly opens: boolean
  readonly root: RootSecret["Service"]
}

/** The rows of this line; none where it would be nothing without its secret. */
export const arrivedRow = (read: ReadRow, arrival: Arrival): NewRow | undefined => {
  const { table, line, text } = read
  const change = changes[table.name]
  if (change === undefined && (arrival.opens || unsealed[table.name] === undefined)) return { table, line, text }
  const row = arrival.opens ? read.row : withoutSeals(table.name, read.row)
  if (row === undefined) return undefined
  return { table, line, text: JSON.stringify(change === undefined ? row : change(row, arrival)) }
}

const changes: Readonly<Record<string, (row: Row, arrival: Arrival) => Row>> = {
  store: (row, { accountId }) => ({ ...row, account_id: accountId }),
  webhook_subscription: (row, { storeId, root }) => {
    if (row["secret"] !== noSecret) return row
    const secret = newSecret()
    return {
      ...row,
      secret: root.seal(secretPurpose, secretContext(storeId, String(row["id"])), secret),
      secret_prefix: prefixOf(secret)
    }
  }
}

/** The token of an installed app: of a secret that nobody knows, so that the app has one and it opens nothing. */
export const unknownToken = ({ row }: ReadRow): string | undefined =>
  row["deleted_at"] === null
    ? JSON.stringify({
        store_id: row["store_id"],
        installation_id: row["id"],
        token_hash: sha256Hex(randomSecret("", 32))
      })
    : undefined

/** The SQL of app_inbound, and of how many bytes of it an installation has. Writers hold the installation first. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { heavyRead } from "../database/HeavyReads.ts"
import { many, none, one, storesWhoseOldest } from "../database/Repository.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { InboundUse } from "./AppInbound.ts"
import type { InstallationPlace } from "./AppInstallation.ts"

export interface NewInbound {
  readonly id: string
  readonly topic: string
  readonly contentType: string | null
  readonly body: Uint8Array
  readonly charge: number
  readonly shown: number
  readonly receivedAt: Date
}

export type InboundState = Pick<NewInbound, "id" | "topic" | "contentType" | "body" | "receivedAt">

/** The most events that one statement deletes. */
const mostDeleted = 5_000

export class AppInboundRepository extends Context.Service<AppInboundRepository>()(
  "@effect-commerce/core/app/AppInboundRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const of = ({ storeId, installationId }: InstallationPlace) =>
        sql`store_id = ${storeId} AND installation_id = ${installationId}`

      return {
        /** Counts the bytes of an event, and holds the installation. Undefined where it is not there. */
        charge: ({ storeId, installationId }: InstallationPlace, bytes: number) =>
          one(
            sql<{ readonly own: bigint; readonly others: bigint }>`UPDATE app_installation i
              SET inbound_bytes = inbound_bytes + ${bytes}
              WHERE i.store_id = ${storeId} AND i.id = ${installationId} AND i.deleted_at IS NULL
              RETURNING i.inbound_bytes AS own, (SELECT coalesce(sum(o.inbound_bytes), 0)::bigint
                FROM app_installation o WHERE o.store_id = ${storeId} AND o.id <> ${installationId}
                  AND o.deleted_at IS NULL) AS others`,
            ({ own, others }): InboundUse => ({ own: Number(own), others: Number(others) })
          ),

        insert: ({ storeId, installationId }: InstallationPlace, row: NewInbound) =>
          none(sql`INSERT INTO app_inbound (store_id, installation_id, id, topic, content_type, body, charge, shown,
              received_at)
            VALUES (${storeId}, ${installationId}, ${row.id}, ${row.topic}, ${row.contentType}, ${row.body},
              ${row.charge}, ${row.shown}, ${row.receivedAt})`),

        // app_inbound_pkey gives the order.
        /** Deletes the oldest events that come to no more than `wanted`, and keeps the one that has just arrived. */
        makeRoom: (place: InstallationPlace, keptId: string, wanted: number) =>
          none(sql`WITH old AS (
              SELECT id FROM (SELECT f.id, sum(f.charge) OVER (ORDER BY f.id) AS freed
                FROM (SELECT id, charge FROM app_inbound WHERE ${of(place)} AND id <> ${keptId}
                  ORDER BY id LIMIT ${mostDeleted}) f) s WHERE s.freed <= ${wanted}),
            gone AS (DELETE FROM app_inbound WHERE ${of(place)} AND id IN (SELECT id FROM old) RETURNING charge)
            UPDATE app_installation SET inbound_bytes = inbound_bytes - (SELECT coalesce(sum(charge), 0) FROM gone)
            WHERE store_id = ${place.storeId} AND id = ${place.installationId}`),

        // app_inbound_store_id_installation_id_topic_idx serves both, and holds what the first one counts.
        /** How many events of a topic there are, and how many bytes of JSON the largest is. */
        countOf: (place: InstallationPlace, topic: string) =>
          heavyRead(place.storeId)(
            one(
              sql<{ readonly total: number; readonly largest: number }>`SELECT count(*)::int AS total,
                  coalesce(max(shown), 0) AS largest
                FROM app_inbound WHERE ${of(place)} AND topic = ${topic}`,
              (row) => row
            )
          ),
        /** Newest first. */
        list: (place: InstallationPlace, topic: string, at: Page) =>
          heavyRead(place.storeId)(
            many(sql<InboundState>`SELECT id, topic, content_type, body, received_at FROM app_inbound
              WHERE ${of(place)} AND topic = ${topic} ORDER BY id DESC LIMIT ${at.limit} OFFSET ${offsetOf(at)}`)
          ),

        // app_inbound_store_id_received_at_idx serves both.
        storesWithOld: (before: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT e.received_at FROM app_inbound e WHERE e.store_id = s.id ORDER BY e.received_at LIMIT 1`,
            sql`oldest.received_at < ${before}`
          ),
        /** The installation of the store's oldest event, if that is too old. */
        withOld: (storeId: string, before: Date) =>
          one(
            sql<{ readonly installationId: string }>`SELECT installation_id FROM app_inbound
              WHERE store_id = ${storeId} AND received_at < ${before} ORDER BY received_at LIMIT 1`,
            ({ installationId }) => installationId
          ),
        /** Locks an installation, also one that has ended. */
        hold: ({ storeId, installationId }: InstallationPlace) =>
          none(sql`SELECT 1 FROM app_installation WHERE store_id = ${storeId} AND id = ${installationId}
            FOR NO KEY UPDATE`),
        /** Deletes events of a held installation that arrived before `before`, or any of one that has ended. */
        removeSome: (place: InstallationPlace, before: Date | undefined, most: number) =>
          Effect.map(
            one(
              sql<{ readonly count: number }>`WITH gone AS (DELETE FROM app_inbound WHERE ${of(place)}
                  AND id = ANY(ARRAY(SELECT id FROM app_inbound WHERE ${of(place)}
                    ${before === undefined ? sql.literal("") : sql`AND received_at < ${before}`}
                  ORDER BY id LIMIT ${most})) RETURNING charge)
                UPDATE app_installation
                SET inbound_bytes = inbound_bytes - (SELECT coalesce(sum(charge), 0) FROM gone)
                WHERE store_id = ${place.storeId} AND id = ${place.installationId}
                RETURNING (SELECT count(*)::int FROM gone) AS count`
            ),
            (row) => row?.count ?? 0
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

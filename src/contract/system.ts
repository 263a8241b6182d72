import { z } from '@hono/zod-openapi'
import { time } from './wire-values.ts'

const bytes = z.number().int()
const maintenance = z.enum(['backup', 'rehearsal'])

const ended = z
  .object({
    at: time,
    took_ms: z.number().int(),
    file: z.string().describe('the name of the backup that was made or tried'),
    failure: z.string().nullable().describe('null: it ended well'),
    proof: z
      .object({
        accounts: z.number().int(),
        entries: z.number().int(),
        disagreements: z.number().int().describe('0: the books of the backup agree'),
      })
      .nullable()
      .describe('of a rehearsal that came so far'),
  })
  .nullable()

/** `GET /api/system` */
export const system = z
  .object({
    looked_at: time,
    version: z.string(),
    node_version: z.string(),
    /** Every running thread that serves, of all processes on the database. */
    nodes: z.array(
      z.object({
        id: z.string(),
        here: z.boolean().describe('the one that answers'),
        host: z.string(),
        process_id: z.number().int(),
        since: time,
        behind: z.number().int().describe('changes that another node follows and this one does not yet'),
        standing: z
          .object({
            version: z.string(),
            in_flight: z.number().int(),
            busy: z.number().describe('the share of time in which its thread works, from 0 to 1'),
            clock: z
              .object({
                database: z.number().int().nullable().describe('null: not known yet, or it is on the same machine'),
                providers: z.number().int().nullable().describe('by the dates of answers; null: too few came'),
              })
              .describe('how many milliseconds its clock is ahead at the least, below 0 behind; 0: in step'),
          })
          .nullable()
          .describe('as it said a few seconds ago; null: not yet'),
      }),
    ),
    process: z
      .object({
        started_at: time,
        threads: z.number().int(),
        memory_bytes: bytes,
        in_flight: z.number().int(),
        lease_grants: z.number().int().describe('since the start'),
        settle_queue: z.number().int().describe('settlements that are not in the books yet'),
        set_aside: z.number().int().describe('settlements that no book took, since the start'),
      })
      .describe('of the process that answers'),
    database: z.object({
      engine: z.enum(['sqlite', 'postgres']),
      bytes,
      wal_bytes: bytes.nullable().describe('of the write-ahead file; null: PostgreSQL'),
      growth_bytes_per_day: z.number().int().nullable().describe('over up to 30 days; null: not known yet'),
      disk: z.object({ bytes, free_bytes: bytes }).nullable().describe('null: PostgreSQL'),
      full_in_days: z.number().int().nullable().describe('at that growth; null: not known, or it does not grow'),
      tables: z
        .array(z.object({ name: z.string(), bytes, rows: z.number().int().nullable() }))
        .nullable()
        .describe('the largest; null: the database is too large to add them up'),
      migrations: z.object({ count: z.number().int(), newest: z.string(), newest_at: time }),
    }),
    backups: z.object({
      directory: z.string().nullable().describe('null: the gateway makes none'),
      every_hours: z.number().int(),
      keep: z.number().int(),
      has_secret: z.boolean(),
      files: z.array(z.object({ name: z.string(), bytes, made_at: time })).describe('the newest ten'),
      /** How the backups stand that are looked for, made by the gateway or by another program. */
      standing: z
        .object({ newest_at: time.nullable(), is_old: z.boolean(), max_age_hours: z.number().int() })
        .nullable()
        .describe('null: none are looked for'),
      running: z
        .object({ kind: maintenance, since: time, share: z.number().nullable().describe('from 0 to 1') })
        .nullable(),
      last_backup: ended.describe('begun by POST /api/system/maintenance since this process started'),
      last_rehearsal: ended,
    }),
  })
  .openapi('System')

/** `POST /api/system/maintenance` */
export const maintenanceOrder = z.object({ kind: maintenance }).strict()
export const maintenanceBegun = z.object({ kind: maintenance })

export type SystemView = z.output<typeof system>

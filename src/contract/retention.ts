import { z } from '@hono/zod-openapi'
import { time } from './wire-values.ts'

const kind = z.enum(['usage', 'refusals', 'tries', 'audit'])
const count = z.number().int()

/** `GET /api/system/retention` */
export const retention = z
  .object({
    looked_at: time,
    /** What goes once it is too old: usage records, refusals that cost nothing, tries with a wrong key, audit entries. */
    kinds: z.array(
      z.object({
        kind,
        variable: z.string().describe('the environment variable that sets the period'),
        keep_days: count.nullable().describe('null: for ever'),
        before: time.nullable().describe('what began before this goes with the next run; null: nothing does'),
        due: count.nullable().describe('how many would go; null: nothing does'),
      }),
    ),
    keep_sessions_days: count,
    archive_directory: z
      .string()
      .describe('where records are written before they are deleted, at the node that answers'),
    run: z
      .object({
        running: z.boolean(),
        next_at: time,
        last: z
          .object({
            at: time,
            took_ms: count,
            deleted: z.object({ usage: count, refusals: count, tries: count, audit: count, sessions: count }),
            archives: z.array(z.string()).describe('the newest ten that it wrote'),
            unusable: z.array(z.string()).describe('archives that are missing or changed, the first ten'),
            failure: z.string().nullable().describe('null: it ended well'),
          })
          .nullable()
          .describe('null: none since the start'),
      })
      .nullable()
      .describe('of the process that answers; null: it runs none'),
    archived: z.object({ files: count, records: count, bytes: count }),
    /** The newest 50. */
    archives: z.array(
      z.object({
        name: z.string(),
        kind,
        day: z.string(),
        records: count,
        bytes: count,
        written_at: time,
        finished: z.boolean().describe('everything in it was deleted from the database'),
      }),
    ),
  })
  .openapi('Retention')

export type RetentionView = z.output<typeof retention>

import { z } from '@hono/zod-openapi'
import { auditEntry, settings } from './administration.ts'

/** `GET /api/configuration`: what this installation is set up by, and where each value comes from. */
export const configuration = z
  .object({
    /** What `PATCH /api/settings` changes, at once and on every node. */
    settings: z.array(
      z.object({
        name: z.string(),
        source: z
          .enum(['file', 'stored', 'default'])
          .describe(
            '`file`: the declarative file sets it, and it is changed there alone. `stored`: it is not the default.',
          ),
        standard: z.unknown().describe('the default'),
        changed: auditEntry
          .pick({ created_at: true, actor: true, actor_email: true, via: true })
          .nullable()
          .describe(
            'who set this value in the console or by the API, as the audit has it; null: the file sets it, or the newest 200 changes do not say',
          ),
      }),
    ),
    /** Environment variables, which take a restart of every node. */
    variables: z.array(
      z.object({
        name: z.string(),
        part: z.enum(['server', 'alerts', 'backups', 'retention', 'sign_in', 'telemetry']),
        /** What it means, in English. */
        meaning: z.string(),
        /** What holds while it is not set, in words. */
        standard: z.string(),
        takes: z.string(),
        source: z
          .enum(['environment', 'secret_file', 'default'])
          .describe('`secret_file`: the file that NAME_FILE names. Of the node that answers.'),
        is_secret: z.boolean(),
        value: z.string().nullable().describe('as it was given; null: it is a secret, or not set'),
      }),
    ),
  })
  .openapi('Configuration')

/** `POST /api/configuration/export`: the installation as a declarative file. */
export const configurationExport = z
  .object({
    file: z.string().describe('YAML, as `tollgate apply` takes it'),
    remarks: z.array(z.string()).describe('a sentence, in English, for each thing that the file cannot say'),
  })
  .openapi('ConfigurationExport')

/** `POST /api/alerts/test`: what came of a test on each way that is set up; empty: alerts go nowhere. */
export const alertTest = z
  .object({
    data: z.array(
      z.object({
        way: z.enum(['webhook', 'mail']),
        delivered: z.boolean(),
        /** What failed, without a secret or an address. */
        failure: z.string().nullable(),
        took_ms: z.number().int(),
      }),
    ),
  })
  .openapi('AlertTest')

export type ConfigurationView = z.output<typeof configuration>
export type ConfigurationExport = z.output<typeof configurationExport>
export type SettingName = keyof typeof settings.shape
export type AlertTestView = z.output<typeof alertTest>

import { z } from '@hono/zod-openapi'
import type { FaultFacts } from '../core/fact-values.ts'
import { CHAT_WIRES } from '../core/wire.ts'
import { unknownTry, usageRecord } from './usage.ts'
import { time } from './wire-values.ts'

/** `POST /api/diagnose`: what is known of something that failed. No secret is taken: of a key, its id or its last four characters. */
export const diagnosisAsked = z
  .object({
    /** A request ID. */
    request: z.string().max(64).optional(),
    /** A key's id, or the last four characters of its secret. */
    key: z
      .string()
      .regex(/^(?:key_\w{1,60}|[\w-]{4})$/)
      .optional(),
    model: z.string().min(1).max(200).optional(),
    protocol: z.enum(CHAT_WIRES).optional(),
  })
  .strict()

function isFacts(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const fault = z.object({
  code: z.string(),
  /** What is particular to it; its cause and remedy are written from these. */
  facts: z.custom<FaultFacts>(isFacts).openapi({ type: 'object' }).nullable(),
  /** The sentence of the gateway, in English. */
  detail: z.string(),
})

export const diagnosis = z
  .object({
    /** The record of the request; null: none was asked for, or none is there that the asker may see. */
    record: usageRecord.nullable(),
    /** Where there is no record: what was refused under this ID without a known key, from the address that asks; null: nothing is remembered. */
    unrecognized: unknownTry.nullable(),
    /**
     * Where there is no record, and those of the time of the ID were deleted: all of them, or refusals that cost nothing, and
     * since when they are kept.
     */
    deleted: z.object({ records: z.enum(['all', 'refusals']), kept_since: time }).nullable(),
    /** The key of the record, or the one that was asked for; null: none, or there are several. */
    key: z
      .object({
        id: z.string(),
        name: z.string(),
        start: z.string(),
        end: z.string(),
        status: z.enum(['active', 'disabled', 'deleted', 'expired']),
        group: z.string().nullable(),
        last_used_at: time.nullable(),
      })
      .nullable(),
    /** How many keys of the asker end so; null: no end was asked for. */
    keys_alike: z.number().int().nullable(),
    /** What a request with this key, for this model and in this protocol, would be refused with now; null: with nothing, or no key is known. */
    now: fault.nullable(),
    /** Whether `now` was judged for the model as well, and not for the key alone. */
    judged_model: z.boolean(),
    /** How many targets of the model could be asked now; null: no model is known, or its key is refused before. */
    targets: z.number().int().nullable(),
  })
  .openapi('Diagnosis')

export type DiagnosisAsked = z.input<typeof diagnosisAsked>
export type DiagnosisView = z.output<typeof diagnosis>

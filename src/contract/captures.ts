import { z } from '@hono/zod-openapi'
import { time } from './wire-values.ts'

const headers = z
  .array(z.tuple([z.string(), z.string()]))
  .describe('name and value; of a fixed list of names, which has no header that may hold a credential')

const body = z.object({
  encoding: z.enum(['utf8', 'base64']).describe('`base64`: it is not text'),
  text: z.string(),
  bytes: z.number().int().describe('as it was, however much of it is kept'),
  is_cut: z.boolean().describe('only its beginning is kept'),
})

const message = z.object({ headers, body })
const answered = message.extend({ status: z.number().int() })

/** What is sealed, as it is stored. */
export const capturedContent = z.object({
  request: message.describe('what the client sent'),
  response: answered.nullable().describe('what it got; null: it left before'),
  attempts: z
    .array(
      z.object({
        upstream: z.string(),
        model: z.string().describe('its name there'),
        path: z.string(),
        request: message,
        response: answered.nullable().describe('null: no answer came'),
      }),
    )
    .describe('what was sent to upstreams, and what they answered'),
})

const summary = z.object({
  request_id: z.string(),
  created_at: time,
  method: z.string(),
  path: z.string(),
  model: z.string().nullable(),
  status: z.number().int().nullable().describe('that the client got; null: it left before'),
  total_ms: z.number().int(),
  request_bytes: z.number().int(),
  response_bytes: z.number().int(),
})

export const capture = z
  .object({
    id: z.string(),
    began_at: time,
    ends_at: time.describe('at the latest'),
    is_running: z.boolean(),
    requests: z.number().int().describe('that are kept'),
    most_requests: z.number().int().describe('it ends with the last of them'),
    missed: z.number().int().describe('requests that could not be kept'),
    ended_because: z
      .enum(['count', 'time', 'admin', 'setting', 'room'])
      .nullable()
      .describe('`room`: what is kept of all captures is at its bound; null: it runs'),
    gone_at: time.describe('when all that it kept is gone'),
  })
  .openapi('Capture')

/** `GET /api/keys/{id}/capture` */
export const captureRead = z.object({
  enabled: z.boolean().describe('whether the setting `capture_requests` is on'),
  capture: capture.nullable().describe('the last one of the key; null: none began within a day'),
  data: z.array(summary).describe('what it kept, in the order in which the requests ended'),
})

/** `GET /api/keys/{id}/capture/{request}` */
export const capturedRequest = summary.extend(capturedContent.shape).openapi('CapturedRequest')

export type CaptureView = z.output<typeof capture>
export type CaptureRead = z.output<typeof captureRead>
export type CapturedSummaryView = z.output<typeof summary>
export type CapturedRequestView = z.output<typeof capturedRequest>

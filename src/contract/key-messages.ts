import { z } from '@hono/zod-openapi'
import { CHAT_WIRES } from '../core/wire.ts'
import { usd } from './wire-values.ts'

const asked = {
  model: z.string().min(1).max(200),
  protocol: z.enum(CHAT_WIRES).default('openai-chat'),
}

/** `POST /api/keys/{id}/message` */
export const keyMessageAsked = z.object(asked).strict()

/** `GET /api/keys/{id}/message` */
export const keyMessageQuery = z.object(asked)

/** What a test message would cost, before it is sent. */
export const keyMessagePrice = z
  .object({
    group: z.string().describe('the one that would serve it, at whose multiplier it is charged'),
    output_tokens: z.number().int().describe('the most that the model is asked to write'),
    most: usd.describe('about the most that it can cost'),
  })
  .openapi('KeyMessagePrice')

export const keyMessage = z
  .object({
    ok: z.boolean(),
    /** How far it came: the first part of the way that stopped it. */
    stage: z.enum(['key', 'model', 'funds', 'gateway', 'provider', 'answered']),
    request_id: z.string(),
    /** The status of the answer, as a client would have got it; null: none came in time. */
    status: z.number().int().nullable(),
    fault: z.string().nullable(),
    /** What a client would have got to read; null: it was answered. */
    message: z.string().nullable(),
    /** The beginning of what the model wrote; null: no text. */
    text: z.string().nullable(),
    cost: usd,
    input_tokens: z.number().int().nullable(),
    output_tokens: z.number().int().nullable(),
    total_ms: z.number().int(),
  })
  .openapi('KeyMessage')

export type KeyMessageAsked = z.input<typeof keyMessageAsked>
export type KeyMessagePriceView = z.output<typeof keyMessagePrice>
export type KeyMessageView = z.output<typeof keyMessage>

import { z } from '@hono/zod-openapi'
import { CALL_KINDS, type CallKind } from '../core/calls.ts'
import { modelCreate } from './models.ts'
import { usageRecord } from './usage.ts'
import { multiplier } from './wire-values.ts'

const count = z.number().int().min(0).max(1_000_000_000).default(0)

const calls = z
  .object(
    Object.fromEntries(CALL_KINDS.map((kind) => [kind, count.optional()])) as Record<
      CallKind,
      z.ZodOptional<typeof count>
    >,
  )
  .strict()

const termsName = z.string().max(64).nullable().default(null)

/** `POST /api/prices/calculate`: what a request would cost at prices that need not be a model's. */
export const priceCalculation = z
  .object({
    price: modelCreate.shape.price.unwrap().unwrap(),
    /** The multiplier of the group. */
    multiplier: multiplier.default('1'),
    /** How many tokens of each kind; none is in two of them. */
    tokens: z
      .object({
        input: count,
        cache_read: count,
        cache_write: count,
        cache_write_1h: count,
        output: count,
        reasoning_output: count,
        audio_input: count,
        audio_output: count,
        image_input: count,
      })
      .partial()
      .strict()
      .default({}),
    units: z
      .object({ requests: count, images: count, seconds: count, characters: count })
      .partial()
      .strict()
      .default({}),
    calls: calls.default({}),
    /** The class of service that the answer names; null: the plain one. */
    service_tier: termsName,
    /** Where the model ran; null: anywhere. */
    inference_geo: termsName,
  })
  .strict()

/** The price as a usage record says it. */
export const priceCalculated = usageRecord
  .pick({ price_lines: true, cost: true, service_tier: true, inference_geo: true, above_input_tokens: true })
  .openapi('PriceCalculated')

export type PriceCalculation = z.input<typeof priceCalculation>
export type PriceCalculated = z.output<typeof priceCalculated>

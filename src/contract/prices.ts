import { z } from '@hono/zod-openapi'
import { CALL_KINDS, type CallKind } from '../core/calls.ts'
import { multiplier, usdAmount } from './wire-values.ts'

/** Prices of tokens in USD per million; those that are not set apart are not there. */
const ofTokens = {
  input: usdAmount.optional(),
  output: usdAmount.optional(),
  cache_read: usdAmount.optional(),
  cache_write: usdAmount.optional(),
  cache_write_1h: usdAmount.optional(),
  audio_input: usdAmount.optional(),
  image_input: usdAmount.optional(),
  audio_output: usdAmount.optional(),
}

const aboveInputTokens = z.number().int().min(1).max(1_000_000_000)

/** The whole request at these prices when its input, of all kinds together, is longer than this. */
const lengthTier = z.object({ above_input_tokens: aboveInputTokens, ...ofTokens }).strict()

const factor = z.object({ factor: multiplier }).strict()

/** A factor on every price of tokens, or own prices, with their own ones for long prompts. */
const service = z
  .object({ factor: multiplier.optional(), ...ofTokens, tiers: z.array(lengthTier).max(8).optional() })
  .strict()

/** A price for each kind of call. */
const perCall = z.object(Object.fromEntries(CALL_KINDS.map((kind) => [kind, usdAmount.optional()])) as PerCall).strict()

type PerCall = Record<CallKind, z.ZodOptional<typeof usdAmount>>

const name = z.string().max(64)

/** What changes a model's prices, and fees for calls of the provider's own tools. Absent where there is none. */
export const priceRuleFields = {
  /** By the length of the prompt, shorter ones first. */
  tiers: z.array(lengthTier).max(8).optional(),
  /** By the class of service that the answer names. */
  service_tiers: z.record(name, service).optional(),
  /** By the place where the model ran; on top of the others. */
  inference_geo: z.record(name, factor).optional(),
  /** For one call inside a request. */
  per_call: perCall.optional(),
}

import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { CALL_KINDS, type CallKind } from '../core/calls.ts'
import { forEachTokenPrice } from '../core/price-fields.ts'
import { listOf, multiplier, usdAmount, wholeNumber } from './wire-values.ts'

/** Prices of tokens in USD per million; those that are not set apart are not there. */
const ofTokens = forEachTokenPrice(() => usdAmount.optional())

/** The whole request at these prices when its input, of all kinds together, is longer than this. */
const lengthTier = z.object({ above_input_tokens: wholeNumber(BOUNDS.price.above_input_tokens), ...ofTokens }).strict()

const factor = z.object({ factor: multiplier }).strict()

/** A factor on every price of tokens, or own prices, with their own ones for long prompts. */
const service = z
  .object({ factor: multiplier.optional(), ...ofTokens, tiers: listOf(lengthTier, BOUNDS.price.tiers).optional() })
  .strict()

/** A price for each kind of call. */
const perCall = z.object(Object.fromEntries(CALL_KINDS.map((kind) => [kind, usdAmount.optional()])) as PerCall).strict()

type PerCall = Record<CallKind, z.ZodOptional<typeof usdAmount>>

const name = z.string().max(BOUNDS.price.rule_name.most)

/** What changes a model's prices, and fees for calls of the provider's own tools. Absent where there is none. */
export const priceRuleFields = {
  /** Prices by the length of the prompt, shorter ones first. */
  tiers: listOf(lengthTier, BOUNDS.price.tiers).optional(),
  /** Prices by the class of service that the answer names. */
  service_tiers: z.record(name, service).optional(),
  /** Factors by the place where the model ran; on top of the others. */
  inference_geo: z.record(name, factor).optional(),
  /** Fees for one call inside a request. */
  per_call: perCall.optional(),
}

import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../../core/bounds.ts'
import { MODEL_KINDS } from '../../core/model-kind.ts'
import { MODEL_NAME } from '../../core/model-name.ts'
import { WIRE_NAMES } from '../../core/wire.ts'
import { modelRules } from '../model-rules.ts'
import { FLAG, plainType, wholeType, wordsType, wordType } from './field-types.ts'
import { field, optional } from './object-fields.ts'

const { name: ofName } = BOUNDS.model

const NAME = {
  ...plainType(z.string()),
  sent: z
    .string()
    .trim()
    .min(ofName.least)
    .max(ofName.most)
    .regex(MODEL_NAME, 'must have no line breaks, control characters or "*"'),
}

const tokens = z.number().int().nullable()

/** The fields of a model, but for its price and its targets. */
export const MODEL = {
  name: field('name', NAME),
  context_tokens: optional('contextTokens', wholeType(BOUNDS.model.context_tokens), {
    shown: tokens,
  }),
  max_output_tokens: optional('maxOutputTokens', wholeType(BOUNDS.model.max_output_tokens), {
    shown: tokens,
  }),
  /** What it does; null: worked out. */
  kind: optional('kind', wordType(MODEL_KINDS), { isSparse: true }),
  /** An admin wants it suggested before others. */
  recommended: field('isRecommended', FLAG, { default: false, isSparse: true }),
  /** Imports of prices leave its price alone. */
  price_locked: field('isPriceLocked', FLAG, { default: false, isSparse: true }),
  /** The protocols in which it may be called; null: all that its targets can be asked for. */
  endpoints: optional('serving.endpoints', wordsType(WIRE_NAMES, 'names of protocols', { least: 1 })),
  /** The time until something of an answer comes from a target; null: as its upstream says. */
  first_event_timeout_ms: optional('serving.firstEventTimeoutMs', wholeType(BOUNDS.model.first_event_timeout_ms)),
  /** The time of silence in the midst of an answer; null: as the installation says. */
  idle_timeout_ms: optional('serving.idleTimeoutMs', wholeType(BOUNDS.model.idle_timeout_ms)),
  /** The time for the whole request; null: as its upstream says. */
  timeout_ms: optional('serving.timeoutMs', wholeType(BOUNDS.model.timeout_ms)),
  /** The time without anything of an answer after which a second target is asked beside the first; null: never. */
  hedge_after_ms: optional('serving.hedgeAfterMs', wholeType(BOUNDS.model.hedge_after_ms)),
  rules: field('serving.rules', plainType(modelRules), { default: {}, isNewInFile: true }),
}

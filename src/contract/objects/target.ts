import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../../core/bounds.ts'
import { TARGET_SHADOWS } from '../../core/shadow-rules.ts'
import { modelRules } from '../model-rules.ts'
import { factorType, lineType, listType, plainType, usdType, wholeType } from './field-types.ts'
import { field, optional } from './object-fields.ts'
import { DROP_FIELDS, shadowField } from './upstream.ts'

const { fields_like: ofLikeness } = BOUNDS.target

/** Whether there is a group of the name is looked up. */
const GROUP_NAME = { ...lineType(BOUNDS.group.name), shown: z.string(), sent: z.string() }

const LIKENESS = {
  ...lineType(ofLikeness),
  sent: z.string().trim().min(ofLikeness.least).max(ofLikeness.most),
}

/** The fields of a target, but for its cost. The API and the file write it with the names of its upstream and groups. */
export const TARGET = {
  upstream: field('upstreamId', { ...lineType(BOUNDS.upstream.name), sent: z.string() }),
  /** The name of the model at the upstream. */
  model: field('model', lineType(BOUNDS.target.model)),
  priority: field('priority', wholeType(BOUNDS.target.priority), { default: 0 }),
  weight: field('weight', wholeType(BOUNDS.target.weight), { default: 1 }),
  /** The groups whose keys may use it; none: all. */
  groups: field('groupIds', listType(GROUP_NAME, 'group names', BOUNDS.target.groups), { default: [], isSparse: true }),
  /** The least part of the price that has to be left, such as "0.2"; with less the target is not used. Only beside a cost. */
  min_margin: optional('minMargin', factorType(BOUNDS.target.cost_factor), {
    isSparse: true,
  }),
  /** The most that its requests may cost in one day of UTC; null: no cap. */
  spend_per_day: optional('spendPerDay', usdType(BOUNDS.target.spend_per_day), { isSparse: true }),
  shadow: shadowField(TARGET_SHADOWS),
  /** Settings of requests that it does not take, beside those of its upstream. */
  drop_fields: field('droppedSettings', DROP_FIELDS, { default: [], isSparse: true }),
  fields_like: optional('fieldsLike', LIKENESS, {
    isSparse: true,
    madeText:
      'a model such as `gpt-5.5` whose fields it takes, where the name of a deployment does not say it; null: its name says it',
  }),
  rules: field('rules', plainType(modelRules), { default: {}, isSparse: true, isNewInFile: true }),
}

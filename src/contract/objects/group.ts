import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../../core/bounds.ts'
import { CLAUDE_SETTINGS_BYTES, type ClaudeSettings, objectionToClaudeSettings } from '../../core/claude-settings.ts'
import {
  readResponseCache,
  RESPONSE_CACHE_PRICE,
  type ResponseCacheOnWire,
  type ResponseCacheRule,
  writtenResponseCache,
} from '../../core/response-cache-rule.ts'
import { ROLES } from '../../core/roles.ts'
import { wholeNumber } from '../wire-values.ts'
import { factorType, type FieldType, FLAG, lineType, listType, nameType, plainType, wordsType } from './field-types.ts'
import { DEVICE_RULE } from './device-rule.ts'
import { field, optional } from './object-fields.ts'

const ttl = wholeNumber(BOUNDS.group.cache_ttl_seconds)
const price = z
  .string()
  .regex(RESPONSE_CACHE_PRICE, 'must be a factor from "0" to "1" with up to six places, such as "0.1"')

/** Answers to equal requests are kept and sold again. The rule holds from when it is written: see `since`. */
const CACHE: FieldType<ResponseCacheOnWire, ResponseCacheRule> = {
  shown: z
    .object({
      ttl_seconds: ttl,
      /** What a kept answer costs, as a factor on what it would cost anew. */
      price,
      /** Whether accounts get each other's answers. */
      shared: z.boolean(),
    })
    .openapi('ResponseCache'),
  sent: z
    .object({ ttl_seconds: ttl, price: price.default('1'), shared: z.boolean().default(false) })
    .strict()
    .openapi('ResponseCacheWritten'),
  read: (written) => readResponseCache(written, 0),
  write: writtenResponseCache,
}

/** What signed-in devices of the group with Claude Code are given for its settings. */
const CLAUDE_SETTINGS: FieldType<ClaudeSettings, ClaudeSettings> = plainType(
  z
    .record(z.string(), z.unknown())
    .superRefine((settings, issues) => {
      const message = objectionToClaudeSettings(settings)
      if (message !== null) issues.addIssue({ code: 'custom', message })
    })
    .describe(
      `settings of Claude Code for the devices of the group: a JSON object of at most ${CLAUDE_SETTINGS_BYTES} bytes. Staff alone see it here, others null`,
    ),
)

/** The fields of a group. */
export const GROUP = {
  name: field('name', nameType(BOUNDS.group.name)),
  multiplier: field('multiplier', factorType(BOUNDS.group.multiplier), { default: '1' }),
  /** Public model names; `["*"]` is all. */
  models: field(
    'models',
    listType(lineType(BOUNDS.group.model), 'model names, or ["*"] for all', BOUNDS.group.models),
    { default: ['*'], shown: z.array(z.string()), isRequiredInFile: true },
  ),
  enabled: field('isEnabled', FLAG, { default: true }),
  /** Open to every account, else to those whose subscription opens it. */
  open: field('isOpen', FLAG, { default: true }),
  /** Accounts of these roles may use it also while it is closed. */
  open_to_roles: field('openRoles', wordsType(ROLES, 'roles', { isOrdered: true }), {
    default: [],
    isSparse: true,
    isNewInFile: true,
  }),
  /** null: no answers are kept. */
  cache: optional('cache', CACHE, { isSparse: true }),
  /** What people may choose for devices that they approve in it; null: whatever they may of any key. */
  devices: optional('devices', DEVICE_RULE, { isSparse: true, isNewInFile: true }),
  /** null: those that name its models, where Claude Code would ask for others. */
  claude_settings: optional('claudeSettings', CLAUDE_SETTINGS, { isSparse: true, isNewInFile: true }),
}

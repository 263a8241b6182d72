import type { z } from '@hono/zod-openapi'
import type { RateLimit } from '../../access/api-key.ts'
import type { keyPatch, RateLimitView } from '../../contract/keys.ts'
import { countsOf } from '../../core/counted-limits.ts'
import { parseUsd } from '../../core/money.ts'
import {
  judgeSettings,
  type KeySettings,
  SettingsRefusal,
  type WantedSettings,
} from '../../entitlement/key-settings.ts'
import { fieldProblem, type Problem } from '../api/problem.ts'
import { type Catalogue, mayUse, type Viewer } from './catalogue.ts'

type Sent = Omit<z.output<typeof keyPatch>, 'status'>

/**
 * Reads what was sent as the settings of a key, over what it is now (null: it is being created, and everything is sent).
 * `owner` is whose key it is: groups and models are theirs to use or not. Throws Problem.
 */
export function readKeySettings(
  sent: Sent,
  before: KeySettings | null,
  { owner, catalogue, nowMs }: { owner: Viewer; catalogue: Catalogue; nowMs: number },
): Partial<KeySettings> {
  try {
    return judgeSettings(wantedOf(sent), before, { catalogue, nowMs, mayUse: (group) => mayUse(group, owner) })
  } catch (error) {
    throw error instanceof SettingsRefusal ? refused(error) : error
  }
}

function refused({ field, message }: SettingsRefusal): Problem {
  return fieldProblem(field.join('.'), `${message}.`)
}

function wantedOf(sent: Sent): WantedSettings {
  return {
    name: sent.name,
    group: sent.group,
    fallbackGroups: sent.fallback_groups,
    quotaLimit: sent.quota_limit == null ? sent.quota_limit : parseUsd(sent.quota_limit),
    quotaReset: sent.quota_reset,
    rateLimit: sent.rate_limit == null ? sent.rate_limit : rateLimitOf(sent.rate_limit),
    expiresAt: sent.expires_at == null ? sent.expires_at : Date.parse(sent.expires_at),
    allowedModels: sent.allowed_models,
    allowedIps: sent.allowed_ips,
  }
}

function rateLimitOf(sent: RateLimitView): RateLimit {
  return {
    ...countsOf(sent),
    spend: sent.spend.map(({ window, usd }) => ({ window, usd: parseUsd(usd) })),
  }
}

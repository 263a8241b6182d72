import { setTimeout as pause } from 'node:timers/promises'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { isAllowedFrom } from '../../access/allowed-address.ts'
import { broughtHashOf } from '../../access/brought-key.ts'
import type { KeyChecked } from '../../contract/public-pages.ts'
import { DAY_MS } from '../../core/durations.ts'
import { KEY_CHECK_REFUSED_AFTER_MS } from '../../core/limits.ts'
import { callableModels } from '../../entitlement/callable-models.ts'
import { readFunds } from '../../entitlement/key-funds.ts'
import { shownStatus } from '../../entitlement/key-status.ts'
import { verdictOn } from '../../entitlement/key-verdict.ts'
import { Problem } from '../problem.ts'
import { timeOrNull } from '../api/wire-forms.ts'
import { readCatalogue } from '../catalogue.ts'
import type { ControlParts } from '../parts.ts'
import { usageOfDay, figuresOf, limitsOnWire } from './key-figures.ts'

const DAYS_SHOWN = 30

/**
 * How the key with this secret stands, for those who have the secret. Nothing is written down. Whatever is wrong with it, the
 * refusal is the same, and comes after the same time. Throws Problem `key_unreadable`.
 */
export async function checkKey(
  secret: string,
  { address, nowMs }: { readonly address: string; readonly nowMs: number },
  parts: ControlParts,
): Promise<KeyChecked> {
  const begunMs = parts.clock.elapsed()
  const found = await parts.store.keys.findByHash(parts.hashes.apiKey(secret), broughtHashOf(secret))
  if (found === null || !isReadable(found, { address, nowMs })) {
    await pause(Math.max(0, begunMs + KEY_CHECK_REFUSED_AFTER_MS - parts.clock.elapsed()))
    throw new Problem(
      'key_unreadable',
      'No key with this secret can be read here: it may be mistyped, deleted or replaced, or limited to other addresses than yours.',
    )
  }
  return standingOf(found, nowMs, parts)
}

/** Whether the gateway would let it read its own usage: not with a deleted key, a secret that was replaced, or from elsewhere. */
function isReadable(
  { key, isByPreviousSecret }: KeyWithOwner,
  { address, nowMs }: { readonly address: string; readonly nowMs: number },
): boolean {
  const isReplaced = isByPreviousSecret === true && (key.overlap === null || nowMs >= key.overlap.endsAt)
  return key.status !== 'deleted' && !isReplaced && isAllowedFrom(key, address)
}

async function standingOf(of: KeyWithOwner, nowMs: number, parts: ControlParts): Promise<KeyChecked> {
  const { store } = parts
  const { key } = of
  const catalogue = await readCatalogue(store)
  const fromMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  const [funds, totals, days, counted] = await Promise.all([
    readFunds(of, { catalogue, budgets: store.budgets }, nowMs),
    store.usage.totalsOfKey(key.id, fromMs),
    store.usage.daysOfKeys([key.id], { fromMs: fromMs - (DAYS_SHOWN - 1) * DAY_MS, offsetMinutes: 0 }),
    parts.limitStates({ id: key.id, rateLimit: key.rateLimit }),
  ])
  const moment = { catalogue, nowMs }
  return {
    name: key.name,
    status: shownStatus(key, funds.quota, nowMs),
    fault: verdictOn(of, funds, moment)?.code ?? null,
    expires_at: timeOrNull(key.expiresAt),
    limits: limitsOnWire(key, { counted, quota: funds.quota, spend: funds.spend.map(({ state }) => state) }),
    today: figuresOf(totals.since),
    ever: figuresOf(totals.ever),
    days: (days.get(key.id) ?? []).map(usageOfDay),
    models: callableModels(of, moment).length,
  }
}

import { expect, test } from 'vitest'
import type { Upstream } from '../../routing/catalog.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import { markOf } from '../../routing/credential-states.ts'
import { statesOf } from '../models/credential-states.ts'
import type { CredentialNow } from '../parts.ts'
import { failingRenewals } from './credential-items.ts'

const NOON = Date.parse('2026-11-30T12:00:00Z')
const HALF_PAST_TEN = Date.parse('2026-11-30T10:30:00Z')
const WORDS = 'AADSTS7000222: The provided client secret keys for app are expired.'
const APP = { ...unlimitedCredential('sealed', 'app'), kind: 'azure' as const }
const AZURE = { id: 'ups_1', name: 'azure', credentials: [APP] } as unknown as Upstream

const RENEWAL = { since: HALF_PAST_TEN, goodUntil: NOON, said: WORDS }
const FAILING: CredentialNow = {
  name: 'app',
  secretEnd: null,
  state: 'renewal_failing',
  because: null,
  until: NOON,
  count: 0,
  inFlight: 2,
  spentToday: null,
  renewal: RENEWAL,
}

const itemsOf = (now: CredentialNow) => failingRenewals([AZURE], { credentialsNow: () => [now] }, { seen: () => 7 })
const stateOf = (now: CredentialNow, since: number) => {
  const hold = { because: 'credential', since, until: NOON, times: 1, said: 'Revoked.', of: markOf(APP) } as const
  const stored = [{ upstreamId: 'ups_1', name: 'app', isDisabled: false, hold }]
  return statesOf(AZURE, { credentialsNow: () => [now], stored })[0]
}

test('a renewal that fails is listed with when the credential is held, in the words of the cloud, and what to do', () => {
  const [item] = itemsOf(FAILING)
  expect(item).toMatchObject({
    kind: 'renewal_failing',
    upstream: { id: 'ups_1', name: 'azure' },
    credential: 'app',
    said: WORDS,
    since: '2026-11-30T10:30:00.000Z',
    held_at: '2026-11-30T12:00:00.000Z',
    requests: 7,
  })
  expect(item?.detail).toMatch(/is held then\. Microsoft Entra ID does not accept the secret .* Create a new one/)
})

test('it stays listed while the credential is busy or rests, and is not of one that an admin has disabled', () => {
  for (const state of ['busy', 'cooling', 'spend_cap'] as const) {
    expect(itemsOf({ ...FAILING, state })).toHaveLength(1)
  }
  for (const state of ['disabled', 'expired'] as const) expect(itemsOf({ ...FAILING, state })).toEqual([])
  expect(itemsOf({ ...FAILING, state: 'healthy', renewal: null })).toEqual([])
})

test('the state of a credential has the words and the beginning of what it is about', () => {
  const at = { since: '2026-11-30T10:30:00.000Z', until: '2026-11-30T12:00:00.000Z' }
  expect(stateOf(FAILING, NOON)).toMatchObject({ state: 'renewal_failing', said: WORDS, ...at })
  const held = { ...FAILING, state: 'held', renewal: null } as const
  expect(stateOf(held, HALF_PAST_TEN)).toMatchObject({ state: 'held', said: 'Revoked.', ...at })
  expect(stateOf({ ...held, state: 'healthy' }, NOON)).toMatchObject({ said: null, since: null })
})

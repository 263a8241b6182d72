import { expect, onTestFinished, test } from 'vitest'
import type { GroupStore } from '../../access/group.ts'
import { systemClock } from '../../core/clock.ts'
import type { CatalogStore, Upstream } from '../../routing/catalog.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import type { MintedListener } from '../../upstreams/minted-credentials.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'
import { credentialsNow } from './upstream-now.ts'

const HALF_AN_HOUR_MS = 1_800_000
const WORDS = 'AADSTS7000222: The provided client secret keys for app are expired.'

/** An upstream of Azure whose credential is minted; what mints it is in the test's hand. */
async function minted() {
  const credential = { ...unlimitedCredential('sealed', 'app'), kind: 'azure' as const }
  const upstream: Upstream = {
    id: 'ups_1',
    name: 'azure',
    protocol: 'openai',
    baseUrl: 'https://my-resource.openai.azure.com/openai/v1',
    credentials: [credential],
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    timeoutMs: null,
    maxConcurrency: null,
    headers: {},
    isManaged: false,
    passage: { dialect: 'azure' },
  }
  const heard: MintedListener[] = []
  const catalog = { models: async () => [], upstreams: async () => [upstream], credentialStates: async () => [] }
  const snapshots = new SnapshotKeeper({
    groups: { groups: async () => [] } as unknown as GroupStore,
    catalog: catalog as unknown as CatalogStore,
    announcements: { announcements: async () => [] },
    openCredential: (sealed) => sealed,
    demoUpstream: () => expect.unreachable(),
    minted: {
      authorizer(_, listener) {
        heard.push(listener)
        return { headers: () => ({}), close: () => {} }
      },
    },
    onError: (_name, error) => expect.unreachable(String(error)),
  })
  await snapshots.reload()
  onTestFinished(() => snapshots.close())
  const inUse = snapshots.current.upstreamsById.get('ups_1')
  const [listener] = heard
  if (listener === undefined) throw new Error('its credential is minted')
  return {
    listener,
    health: inUse?.pool[0]?.health ?? expect.unreachable(),
    now: () => credentialsNow(inUse, systemClock)[0],
  }
}

const near = (atMs: number) => ({ asymmetricMatch: (ms: number) => Math.abs(ms - atMs) < 60_000 })

test('a renewal that fails is known with its words, since when and until when, and the credential is used as ever', async () => {
  const { listener, now, health } = await minted()
  expect(now()).toMatchObject({ state: 'healthy', until: null, renewal: null })
  listener.onFailure(WORDS, HALF_AN_HOUR_MS)
  const end = near(Date.now() + HALF_AN_HOUR_MS)
  const renewal = { since: near(Date.now()), goodUntil: end, said: WORDS }
  expect(now()).toMatchObject({ state: 'renewal_failing', because: null, until: end, renewal })
  expect(health.mayBeAskedAt(systemClock.elapsed())).toBeLessThanOrEqual(systemClock.elapsed())
})

test('a credential is held once no token is left, and neither once one came', async () => {
  const { listener, now, health } = await minted()
  listener.onFailure(WORDS, HALF_AN_HOUR_MS)
  listener.onFailure(WORDS, null)
  expect(now()).toMatchObject({ state: 'held', because: 'credential', renewal: null })
  listener.onRecovered(true)
  expect(now()).toMatchObject({ state: 'healthy', renewal: null })
  listener.onFailure(WORDS, HALF_AN_HOUR_MS)
  // What its provider holds against it, no token of a service takes back.
  health.refused({ beganAt: systemClock.elapsed(), now: systemClock.elapsed() }, 'no_credit')
  listener.onRecovered(false)
  expect(now()).toMatchObject({ state: 'held', because: 'no_credit' })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Upstream } from '../../src/routing/catalog.ts'
import { markOf } from '../../src/routing/credential-states.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import type { MintingClaim } from '../../src/routing/minted-tokens.ts'
import type { Store } from '../../src/store/store.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

const CREDENTIAL = {
  ...unlimitedCredential('v1.sealed', 'role'),
  kind: 'aws' as const,
  settings: { source: 'instance' },
}
const MARK = `${markOf(CREDENTIAL)} bedrock`
const HOUR_MS = 3_600_000

describe.each(ENGINES)('minted tokens, on %s', (engine) => {
  let place: Place
  let store: Store
  let other: Store
  let nr = 0
  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open()
    other = await place.open()
  })
  afterAll(() => place.leave())

  /** The claim of a node for the credential of a new upstream. */
  const fresh = async () => {
    nr += 1
    const upstream: Upstream = {
      id: `ups_m${nr}`,
      name: `minted ${nr}`,
      protocol: 'anthropic',
      baseUrl: 'https://a.test',
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      timeoutMs: null,
      maxConcurrency: null,
      headers: {},
      isManaged: false,
      credentials: [CREDENTIAL],
    }
    await store.catalog.putUpstream(upstream)
    const id = (await store.catalog.upstreams()).find(({ name }) => name === upstream.name)?.id ?? ''
    const claim = (holder: string, more: Partial<MintingClaim> = {}): MintingClaim => ({
      upstreamId: id,
      name: 'role',
      mark: MARK,
      holder,
      leaseMs: 15_000,
      olderThanMs: 60_000,
      ...more,
    })
    return { id, claim }
  }
  const kept = (claim: MintingClaim, lifeMs = HOUR_MS) =>
    store.mintedTokens.keepToken({ ...claim, sealed: 's', lifeMs })

  test('one of many nodes mints at a time, and the others take what it minted', async () => {
    const { claim } = await fresh()
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((holder, i) => (i % 2 === 0 ? store : other).mintedTokens.claimMinting(claim(holder))),
    )
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['granted', 'waiting', 'waiting', 'waiting'])
    const holder = ['a', 'b', 'c', 'd'][answers.findIndex(({ kind }) => kind === 'granted')] ?? ''
    await kept(claim(holder))
    const taken = await other.mintedTokens.claimMinting(claim('e'))
    expect(taken).toMatchObject({ kind: 'token', token: { sealed: 's' } })
    expect(taken.kind === 'token' ? taken.token.leftMs : 0).toBeGreaterThan(HOUR_MS - 60_000)
  })

  test('a token is not taken unless it is fresher than the one at hand', async () => {
    const { claim } = await fresh()
    await store.mintedTokens.claimMinting(claim('a'))
    await kept(claim('a'))
    expect(await other.mintedTokens.claimMinting(claim('b', { olderThanMs: HOUR_MS }))).toEqual({ kind: 'granted' })
    // The token that is renewed is good for the others until the new one is there.
    expect(await store.mintedTokens.claimMinting(claim('c'))).toMatchObject({ kind: 'token' })
  })

  test('a holder that gives up, or whose lease has ended, lets another mint, and keeps nothing afterwards', async () => {
    const { claim } = await fresh()
    await store.mintedTokens.claimMinting(claim('a'))
    await store.mintedTokens.giveUp(claim('a'))
    expect(await other.mintedTokens.claimMinting(claim('b', { leaseMs: 0 }))).toEqual({ kind: 'granted' })
    await expect.poll(() => store.mintedTokens.claimMinting(claim('c'))).toEqual({ kind: 'granted' })
    await kept(claim('b'))
    expect(await other.mintedTokens.claimMinting(claim('d'))).toEqual({ kind: 'waiting' })
  })

  test('a token goes with its credential, and with the settings that it was minted by', async () => {
    const { id, claim } = await fresh()
    const mint = async () => {
      await store.mintedTokens.claimMinting(claim('a', { olderThanMs: HOUR_MS }))
      await kept(claim('a'), 2 * HOUR_MS)
    }
    await mint()
    const other2 = { ...CREDENTIAL, settings: { source: 'instance', role_arn: 'arn:aws:iam::123456789012:role/x' } }
    await store.catalog.editUpstream(id, (before) => ({ ...before, maxConcurrency: 3 }))
    expect((await store.mintedTokens.claimMinting(claim('b'))).kind).toBe('token')
    await store.catalog.editUpstream(id, (before) => ({ ...before, credentials: [other2] }))
    expect((await store.mintedTokens.claimMinting(claim('b'))).kind).toBe('granted')
    await kept(claim('b'))
    await store.mintedTokens.forgetToken(claim('b'))
    expect((await store.mintedTokens.claimMinting(claim('c'))).kind).toBe('granted')
    await kept(claim('c'))
    await store.catalog.deleteUpstream(id)
    expect((await store.mintedTokens.claimMinting(claim('d'))).kind).toBe('granted')
  })
})

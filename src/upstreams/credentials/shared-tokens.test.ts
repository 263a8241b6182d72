import { afterEach, expect, test } from 'vitest'
import type { MintedTokenStore, MintingAnswer, MintingClaim } from '../../routing/minted-tokens.ts'
import { MintedSource } from './minted-source.ts'
import { SharedTokens } from './shared-tokens.ts'

const HOUR_MS = 3_600_000
const sources: MintedSource[] = []
afterEach(() => sources.splice(0).forEach((source) => source.close(false)))

/** One row of the table, as the database keeps it. */
class RowInMemory implements MintedTokenStore {
  isDown = false
  row: { sealed: string; endsAt: number; holder: string | null } | null = null
  claims = 0

  async claimMinting({ holder, olderThanMs }: MintingClaim): Promise<MintingAnswer> {
    this.claims += 1
    if (this.isDown) throw new Error('the database is down')
    const leftMs = (this.row?.endsAt ?? 0) - performance.now()
    if (this.row !== null && this.row.sealed !== '' && leftMs > olderThanMs) {
      return { kind: 'token', token: { sealed: this.row.sealed, leftMs } }
    }
    if (this.row?.holder != null && this.row.holder !== holder) return { kind: 'waiting' }
    this.row = { sealed: this.row?.sealed ?? '', endsAt: this.row?.endsAt ?? 0, holder }
    return { kind: 'granted' }
  }

  async keepToken({ sealed, lifeMs }: Parameters<MintedTokenStore['keepToken']>[0]): Promise<void> {
    if (this.isDown) throw new Error('the database is down')
    this.row = { sealed, endsAt: performance.now() + lifeMs, holder: null }
  }

  async giveUp(): Promise<void> {
    if (this.row !== null) this.row = { ...this.row, holder: null }
  }

  async forgetToken(): Promise<void> {
    this.row = null
  }
}

function world() {
  const store = new RowInMemory()
  const state = { minted: 0 }
  const errors: unknown[] = []
  const node = (holder: string, { open = (text: string) => text.slice(1) } = {}) => {
    const shared = new SharedTokens({
      key: { upstreamId: 'u', name: 'n', mark: 'm s' },
      store,
      seal: (text) => `!${text}`,
      open,
      holder,
      elapsed: () => performance.now(),
      onStoreError: (error) => errors.push(error),
    })
    const mint = async () => {
      state.minted += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
      return { value: { is: 'bearer', token: `t${state.minted}` } as const, lifeMs: HOUR_MS }
    }
    const source = new MintedSource({
      minter: { scope: 's', mint },
      shared,
      clock: { elapsed: () => performance.now() },
      random: Math.random,
      secrets: () => [],
      events: { onFailure: () => {}, onRecovered: () => {}, onToken: () => {} },
    })
    sources.push(source)
    return source
  }
  return { store, state, errors, node }
}

// Reported: all requests refresh at once when a token ends (BerriAI/litellm#26024).
test('of many nodes that need a token at once, one mints and the others take it', async () => {
  const { state, node } = world()
  const nodes = Array.from({ length: 8 }, (_, i) => node(`n${i}`))
  const tokens = await Promise.all(nodes.map((each) => each.get()))
  expect(new Set(tokens.map((value) => value.is === 'bearer' && value.token))).toEqual(new Set(['t1']))
  expect(state.minted).toBe(1)
})

test('a node mints for itself while the database is down', async () => {
  const { store, state, errors, node } = world()
  store.isDown = true
  expect(await node('a').get()).toEqual({ is: 'bearer', token: 't1' })
  expect(await node('b').get()).toEqual({ is: 'bearer', token: 't2' })
  expect(state.minted).toBe(2)
  expect(errors.length).toBeGreaterThan(0)
})

test('a token that was sealed with another secret is minted anew', async () => {
  const { node } = world()
  await node('a').get()
  const other = node('b', {
    open: () => {
      throw new Error('sealed with another secret')
    },
  })
  expect(await other.get()).toEqual({ is: 'bearer', token: 't2' })
})

test('what is stored of a token is sealed', async () => {
  const { store, node } = world()
  await node('a').get()
  expect(store.row?.sealed.startsWith('!')).toBe(true)
})

test('a credential that is gone takes its token along', async () => {
  const { store, node } = world()
  const source = node('a')
  await source.get()
  source.close(true)
  await expect.poll(() => store.row).toBeNull()
})

import type { ClientRequest } from '../client-connection.ts'
import { expect, test } from 'vitest'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { broughtHashOf } from '../../access/brought-key.ts'
import { Fault } from '../../core/faults.ts'
import { BAD_CREDENTIALS_PER_MINUTE, CREDENTIAL_LIMIT_CHARACTERS } from '../../core/limits.ts'
import { BadCredentialThrottle } from './bad-credentials.ts'
import { type CallerFinder, findCaller, presentedSecret } from './caller.ts'

const NEVER = () => {
  throw new Error('it was looked at')
}

test.for(['authorization', 'x-api-key', 'x-goog-api-key'])(
  'a %s that is longer than any key is refused before it is hashed, looked up or searched, and counts as a bad one',
  (name) => {
    const throttle = new BadCredentialThrottle({ now: () => 0, elapsed: () => 0 })
    const finder = { throttle, hashSecret: NEVER, ring: { find: NEVER } } as unknown as CallerFinder
    const text = 'Bearer ' + '!'.repeat(CREDENTIAL_LIMIT_CHARACTERS + 1)
    const call = () => findCaller({ headers: { [name]: text } } as unknown as ClientRequest, '192.0.2.1', finder)
    for (let i = 0; i < 120; i++) expect(call).toThrow(expect.objectContaining({ code: 'key_malformed' }))
    expect(call).toThrow(expect.objectContaining({ code: 'credential_throttled' }))
    expect(call).toThrow(Fault)
  },
)

test.for([
  [undefined, null],
  ['', null],
  ['   ', null],
  ['Bearer', null],
  ['bearer \u00a0 ', null],
  [' Bearer ', null],
  ['Bearer sk-1', 'sk-1'],
  ['BEARER sk-1', 'sk-1'],
  ['Bearer  sk-1', ' sk-1'],
  ['sk-1', 'sk-1'],
  ['Bearersk-1', 'Bearersk-1'],
  ['Basic c2s6', null],
] as const)('the authorization %j presents %j', ([authorization, secret]) => {
  expect(presentedSecret({ authorization })).toBe(secret)
})

test.for([
  [false, ['own of sk-unknown-1', undefined]],
  [true, ['own of sk-unknown-1', broughtHashOf('sk-unknown-1')]],
] as const)(
  'while keys that were brought are left: %s, an unknown one is looked for by %j',
  async ([isLeft, hashes]) => {
    const looked: unknown[] = []
    const finder: CallerFinder = {
      throttle: new BadCredentialThrottle({ now: () => 0, elapsed: () => 0 }),
      hashSecret: (secret) => `own of ${secret}`,
      hasBroughtKeys: () => isLeft,
      onPreviousSecret: NEVER,
      ring: {
        find: () => undefined,
        load: async (hash, brought) => {
          looked.push([hash, brought?.hash])
          return null
        },
        isCurrent: NEVER,
        isReplaced: () => false,
      },
    }
    const request = { headers: { authorization: 'Bearer sk-unknown-1' }, socket: {} } as unknown as ClientRequest
    const refused = expect.objectContaining({ code: 'key_unknown' })
    await expect((async () => findCaller(request, '192.0.2.1', finder))()).rejects.toEqual(refused)
    expect(looked).toEqual([hashes])
  },
)

test.for([
  [true, 'key_expired', 'key_expired'],
  [false, 'key_unknown', 'credential_throttled'],
] as const)(
  'a secret that opens no key, replaced: %s, is answered with %s, and after many tries with %s',
  async ([isReplaced, first, last]) => {
    const finder: CallerFinder = {
      throttle: new BadCredentialThrottle({ now: () => 0, elapsed: () => 0 }),
      hashSecret: (secret) => secret,
      onPreviousSecret: NEVER,
      ring: { find: () => null, load: NEVER, isCurrent: NEVER, isReplaced: () => isReplaced },
    }
    const request = { headers: { 'x-api-key': 'sk-unknown-1' }, socket: {} } as unknown as ClientRequest
    const codes: unknown[] = []
    for (let i = 0; i <= BAD_CREDENTIALS_PER_MINUTE; i++) {
      await (async () => findCaller(request, '192.0.2.1', finder))().catch((fault: Fault) => codes.push(fault.code))
    }
    expect([codes[0], codes.at(-1)]).toEqual([first, last])
  },
)

test('a key that is found in its other form is looked up by that form on its connection from then on', async () => {
  const caller = { key: { id: 'key_1' } } as KeyWithOwner
  const looked: string[] = []
  const finder: CallerFinder = {
    throttle: new BadCredentialThrottle({ now: () => 0, elapsed: () => 0 }),
    hashSecret: (secret) => `hash of ${secret}`,
    hasImportedKeys: () => true,
    onPreviousSecret: NEVER,
    ring: {
      find: () => undefined,
      load: async (hash) => {
        looked.push(hash)
        return hash === 'hash of sk-abc12345' ? caller : null
      },
      isCurrent: NEVER,
      isReplaced: () => false,
    },
  }
  const request = { headers: { 'x-api-key': 'abc12345-7' }, socket: {} } as unknown as ClientRequest
  for (let i = 0; i < 2; i++) expect(await findCaller(request, '192.0.2.1', finder)).toBe(caller)
  expect(looked).toEqual(['hash of abc12345-7', 'hash of sk-abc12345', 'hash of sk-abc12345'])
})

test('a token that was read before is refused once it is over or its key has another epoch, on any connection', () => {
  const content = { keyId: 'key_1', expiresAt: 1_000, epoch: 0 }
  const state = { now: 0, epoch: 0 }
  const finder: CallerFinder = {
    throttle: new BadCredentialThrottle({ now: () => 0, elapsed: () => 0 }),
    hashSecret: NEVER,
    onPreviousSecret: NEVER,
    tokens: { readAccessToken: () => content, now: () => state.now },
    ring: {
      find: () => ({ key: { status: 'active', device: { epoch: state.epoch } } }) as KeyWithOwner,
      load: NEVER,
      isCurrent: NEVER,
      isReplaced: NEVER,
    },
  }
  const kept = {}
  const call = (socket: object) => {
    const headers = { authorization: 'Bearer tg-dat-1' }
    return findCaller({ headers, socket } as unknown as ClientRequest, '192.0.2.1', finder)
  }
  const refused = expect.objectContaining({ code: 'key_expired' })
  for (const change of [{ now: 1_000 }, { epoch: 1 }]) {
    for (const socket of [kept, {}]) expect(call(socket)).toMatchObject({ key: { status: 'active' } })
    Object.assign(state, change)
    for (const socket of [kept, {}]) expect(() => call(socket)).toThrow(refused)
    Object.assign(state, { now: 0, epoch: 0 })
  }
})

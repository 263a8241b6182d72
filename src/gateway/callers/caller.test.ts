import type { ClientRequest } from '../client-connection.ts'
import { expect, test } from 'vitest'
import { broughtHashOf } from '../../access/brought-key.ts'
import { Fault } from '../../core/faults.ts'
import { CREDENTIAL_LIMIT_CHARACTERS } from '../../core/limits.ts'
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

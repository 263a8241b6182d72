import type { ClientRequest } from '../client-connection.ts'
import { expect, test } from 'vitest'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { Fault } from '../../core/faults.ts'
import type { GatewayParts } from '../parts.ts'
import { BadCredentialThrottle } from '../callers/bad-credentials.ts'
import { Gate, type Purpose } from './gate.ts'

const NOW = 1_790_000_000_000

function callerWith(over: { status?: 'active' | 'disabled'; expiresAt?: number | null } = {}): KeyWithOwner {
  const key = {
    id: 'key_1',
    secretEnd: 'abcd',
    status: 'active',
    statusChangedAt: NOW,
    expiresAt: null,
    allowedIps: [],
  }
  const account = { id: 'acc_1', status: 'active' }
  return { key: { ...key, ...over }, account, subscriptions: [] } as unknown as KeyWithOwner
}

/** A gate before a gateway whose key and state the test changes as time passes. */
function gateFor(purpose: Purpose) {
  const state = {
    caller: callerWith(),
    closed: null as Fault | null,
    found: [] as KeyWithOwner[],
    addresses: [] as string[],
  }
  const parts = {
    clock: { now: () => NOW },
    addressOf: () => '127.0.0.1',
    closedBecause: () => state.closed,
    keyAddresses: { note: ({ id }: { id: string }, address: string) => state.addresses.push(`${id} ${address}`) },
    callers: {
      ring: { find: () => state.caller, isCurrent: (caller: KeyWithOwner) => caller === state.caller },
      hashSecret: (secret: string) => secret,
      throttle: new BadCredentialThrottle({ now: () => NOW, elapsed: () => 0 }),
    },
  } as unknown as GatewayParts
  const request = { headers: { authorization: 'Bearer secret' }, socket: {} } as unknown as ClientRequest
  const gate = new Gate(parts, request, { purpose, onFound: (caller) => state.found.push(caller) })
  return { gate, state }
}

test('a key that was disabled while its request waited is refused, and its caller is known by then', async () => {
  const { gate, state } = gateFor('call')
  const caller = await gate.enter()
  state.caller = callerWith({ status: 'disabled' })
  await expect(async () => gate.recheck(caller)).rejects.toMatchObject({ code: 'key_disabled' })
  expect(state.found).toEqual([caller, state.caller])
})

test('a key that changed and may still be used goes on as it is now', async () => {
  const { gate, state } = gateFor('call')
  const caller = await gate.enter()
  expect(await gate.recheck(caller)).toBe(caller)
  state.caller = callerWith()
  expect(await gate.recheck(caller)).toBe(state.caller)
})

test('a gateway that closed while a request waited refuses it', async () => {
  const { gate, state } = gateFor('call')
  const caller = await gate.enter()
  state.closed = new Fault('draining', 'It drains.')
  await expect(async () => gate.recheck(caller)).rejects.toMatchObject({ code: 'draining' })
})

test.for([
  ['call', 'store_unavailable', true],
  ['look_up', 'store_unavailable', false],
  ['read_books', 'store_unavailable', false],
  ['look_up', 'draining', true],
  ['read_books', 'draining', true],
] as const)('with the purpose %s, a gateway that is closed by %s refuses: %s', async ([purpose, code, isRefused]) => {
  const { gate, state } = gateFor(purpose)
  state.closed = new Fault(code, 'Closed.')
  if (isRefused) await expect(async () => gate.enter()).rejects.toMatchObject({ code })
  else expect(await gate.enter()).toBe(state.caller)
})

test('an expired key may read what it used, and nothing else', async () => {
  for (const purpose of ['call', 'look_up'] as const) {
    const { gate, state } = gateFor(purpose)
    state.caller = callerWith({ expiresAt: NOW - 1 })
    await expect(async () => gate.enter()).rejects.toMatchObject({ code: 'key_expired' })
  }
  const { gate, state } = gateFor('read_books')
  state.caller = callerWith({ expiresAt: NOW - 1 })
  expect(await gate.enter()).toBe(state.caller)
})

test('the address of a key is noted when it was let in, and not when it was refused', async () => {
  const { gate, state } = gateFor('call')
  const { key } = await gate.enter()
  expect(state.addresses).toEqual([`${key.id} 127.0.0.1`])
  state.caller = callerWith({ status: 'disabled' })
  expect(() => gate.enter()).toThrow()
  expect(state.addresses).toHaveLength(1)
})

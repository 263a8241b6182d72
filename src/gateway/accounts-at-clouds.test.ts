import { expect, test } from 'vitest'
import { upstreamProtocolFacts } from '../core/upstream-protocol.ts'
import { protocolOf } from '../protocols/protocol-of.ts'
import { accountFailureOf } from '../routing/account-refusals.ts'

/** Clouds as their dialects pass them on, in the form of each protocol. */
test.for([
  [
    'anthropic',
    { type: 'error', error: { type: 'permission_error', code: 'SERVICE_DISABLED', message: 'off' } },
    'credential',
  ],
  ['openai-chat', { error: { type: 'PERMISSION_DENIED', code: 'BILLING_DISABLED', message: 'off' } }, 'no_credit'],
  [
    'gemini',
    { error: { code: 403, status: 'PERMISSION_DENIED', message: 'off', details: [{ reason: 'SERVICE_DISABLED' }] } },
    'credential',
  ],
  [
    'anthropic',
    { type: 'error', error: { type: 'permission_error', code: 'OptInRequired', message: 'no' } },
    'credential',
  ],
  ['converse', { type: 'permission_error', code: 'OptInRequired', message: 'no' }, 'credential'],
  ['converse', { type: 'permission_error', code: 'AccessDeniedException', message: 'no' }, null],
] as const)('%s, of %j, is of the %s', ([protocol, body, failure]) => {
  const error = protocolOf(upstreamProtocolFacts(protocol).wires[0]).readError(Buffer.from(JSON.stringify(body)))
  expect(accountFailureOf({ protocol, status: 403, error })).toBe(failure)
})

import { expect, test } from 'vitest'
import { markOf } from './credential-states.ts'

const sealedSecret = `sealed.${'x'.repeat(40)}`

test('what is stored of a credential is of its secret, its kind and its settings, in whichever order these stand', () => {
  const role = { sealedSecret, kind: 'aws', settings: { source: 'pod', role_arn: 'a' } } as const
  expect(markOf({ ...role, settings: { role_arn: 'a', source: 'pod' } })).toBe(markOf(role))
  const others = [
    { ...role, settings: { source: 'pod', role_arn: 'b' } },
    { ...role, kind: 'gcp' },
    { ...role, sealedSecret: `sealed.${'y'.repeat(40)}` },
    { sealedSecret },
  ] as const
  for (const other of others) expect(markOf(other)).not.toBe(markOf(role))
})

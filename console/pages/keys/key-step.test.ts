import { expect, test } from 'vitest'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { readKeyStep, writeKeyStep } from './key-step.ts'

const apiKey = { id: 'key_1' } as ApiKeyView

test('a drawer about a key and the form of a new one stand in the address, beside what the table keeps there', () => {
  const flat = { q: 'laptop', use: 'key_0' }
  expect(readKeyStep(flat)).toEqual({ kind: 'use', keyId: 'key_0' })
  for (const kind of ['use', 'import', 'edit'] as const) {
    const written = writeKeyStep(flat, { kind, apiKey })
    expect(written).toEqual({ q: 'laptop', [kind]: 'key_1' })
    expect(readKeyStep(written ?? {})).toEqual({ kind, keyId: 'key_1' })
  }
  expect(readKeyStep(writeKeyStep(flat, { kind: 'create' }) ?? {})).toEqual({ kind: 'create' })
  expect(writeKeyStep(flat, null)).toEqual({ q: 'laptop' })
})

test('no address deletes, disables or rotates a key', () => {
  for (const kind of ['delete', 'disable', 'rotate'] as const) {
    expect(writeKeyStep({}, { kind, apiKey })).toBeUndefined()
    expect(readKeyStep({ [kind]: 'key_1' })).toBeNull()
  }
})

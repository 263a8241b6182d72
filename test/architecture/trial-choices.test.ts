import { expect, test } from 'vitest'
import { MOST_CHARACTERS, TRIAL_WIRES } from '../../console/pages/admin/upstreams/trial-options.ts'
import { UPSTREAM_TRIAL_TEXT_CHARACTERS } from '../../src/core/limits.ts'
import { SMALL_REQUEST_WIRES } from '../../src/protocols/small-request.ts'

test('for a test of an upstream the console offers every protocol that has a small request, and a text as long as the API takes', () => {
  expect([...TRIAL_WIRES].sort()).toEqual([...SMALL_REQUEST_WIRES].sort())
  expect(MOST_CHARACTERS).toBe(UPSTREAM_TRIAL_TEXT_CHARACTERS)
})

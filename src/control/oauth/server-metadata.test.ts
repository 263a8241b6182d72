import { expect, test } from 'vitest'
import { isSecureOrigin } from './server-metadata.ts'

test.for([
  ['https://ai.example.test', null, true],
  ['http://localhost:8787', null, true],
  ['http://127.0.0.1:8787', null, true],
  ['http://[::1]:8787', null, true],
  ['http://ai.example.test', null, false],
  ['http://127.0.0.1.example.test', null, false],
  ['http://10.0.0.1', null, false],
  ['http://ai.example.test', 'https://ai.example.test', true],
  ['http://other.example.test', 'https://ai.example.test', false],
  ['http://ai.example.test', 'http://ai.example.test', false],
  ['not an address', 'https://ai.example.test', false],
] as const)('tokens pass at %s with the public address %s: %s', ([asked, publicOrigin, isSecure]) => {
  expect(isSecureOrigin(asked, publicOrigin)).toBe(isSecure)
})

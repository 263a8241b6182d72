import { expect, test } from 'vitest'
import { folderNameOf, readAddress } from './address.ts'
import { dollars } from './shown.ts'

test.each([
  ['gateway.example.com', 'https://gateway.example.com'],
  ['https://gateway.example.com/', 'https://gateway.example.com'],
  ['https://gateway.example.com/v1', 'https://gateway.example.com'],
  ['https://gateway.example.com/v1/chat/completions', 'https://gateway.example.com'],
  ['https://gateway.example.com/console/keys?x=1#y', 'https://gateway.example.com'],
  ['https://gateway.example.com/client.tgz', 'https://gateway.example.com'],
  ['https://example.com/team/gateway/', 'https://example.com/team/gateway'],
  ['localhost:8787', 'http://localhost:8787'],
  ['127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ['http://[::1]:8787', 'http://[::1]:8787'],
  ['http://gateway.localhost', 'http://gateway.localhost'],
  ['HTTPS://Gateway.Example.COM:443', 'https://gateway.example.com'],
])('the address %s is %s', (typed, address) => {
  expect(readAddress(typed)).toBe(address)
})

test.each([
  'http://gateway.example.com',
  'http://10.0.0.1:8787',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'ftp://gateway.example.com',
  'javascript://x',
  'https://ada:secret@gateway.example.com',
  "https://gateway.example.com/a'b",
  'https://',
  '',
])('%j is refused', (typed) => {
  expect(() => readAddress(typed)).toThrow(/\.$/)
})

test('each address has a folder of its own, whose name every system takes', () => {
  const addresses = ['https://a.b', 'http://a.b', 'https://a.b:1', 'https://a.b/1', 'https://a_b', 'https://a.b/_1']
  const names = addresses.map(folderNameOf)
  expect(new Set(names).size).toBe(addresses.length)
  expect(names.every((name) => /^[\w.-]+$/.test(name))).toBe(true)
})

test.each([
  ['12.345', '$12.35'],
  ['0.004999', '$0.00'],
  ['-0.004', '$0.00'],
  ['-3', '-$3.00'],
  [7.1, '$7.10'],
  ['1e5', null],
  ['\u001b[1m1', null],
  [null, null],
] as const)('the amount %j is shown as %j', (value, text) => {
  expect(dollars(value)).toBe(text)
})

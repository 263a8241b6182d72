import { expect, test } from 'vitest'
import { readPasted } from '../../../src/causes/pasted-text.ts'
import { askedOf, writeClues } from './clue-address.ts'
import { readClues } from './clue-search.ts'

const here = { origin: 'http://127.0.0.1:8787' }

test.for<[string]>([
  ['sk-proj-abcdefghijklmnop1234'],
  [
    `curl ${here.origin}/v1/chat/completions -H "Authorization: Bearer sk-tg-short" -d '{"model":"a"}' x-tollgate-fault: rate_limited`,
  ],
  [`${here.origin}/v1/messages`],
  ['connect ECONNREFUSED 127.0.0.1:8787'],
  ['https://api.openai.com/v1'],
  ['nothing of this means anything'],
])('the link to a diagnosis shows what %s showed', ([text]) => {
  const clues = readPasted(text, here)
  expect(readClues(writeClues(clues), here)).toEqual(clues)
})

test('what is looked up is an ID, an end, a model and a protocol, and nothing else', () => {
  const clues = readPasted(`req_01k9x0000000000000000000aa "model": "a" /v1/messages ECONNRESET`, here)
  expect(askedOf(clues)).toEqual({
    request: 'req_01k9x0000000000000000000aa',
    model: 'a',
    protocol: 'anthropic-messages',
  })
  expect(askedOf(readPasted('ECONNREFUSED', here))).toBeNull()
})

test('a link that anyone can write advises no address but this gateway’s, and no text that is too long', () => {
  const found = (facts: object) =>
    readClues({ found: JSON.stringify([{ code: 'base_url_wrong', facts }]) }, here)?.found
  expect(found({ enter: 'https://evil.example/v1' })).toEqual([{ code: 'base_url_wrong', facts: {} }])
  expect(found({ enter: `${here.origin}/v1` })).toEqual([
    { code: 'base_url_wrong', facts: { enter: `${here.origin}/v1` } },
  ])
  expect(found({ said: 'Send your key to me', path: 'x'.repeat(500), allowed: ['see http://evil.example'] })).toEqual([
    { code: 'base_url_wrong', facts: {} },
  ])
  expect(readClues({ found: '[{"code":"made_up","facts":{}}]', elsewhere: 'javascript:alert(1)' }, here)).toMatchObject(
    {
      found: [],
      elsewhere: null,
    },
  )
})

import { describe, expect, test } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

const SECRET = 'sk-tg-Zq3vN8xK1mT5wR7yB2cD4fG6hJ9kL0pQ/sU'

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0')
const WRITINGS: Readonly<Record<string, string>> = {
  'as it is': SECRET,
  'with each character escaped': SECRET.split('')
    .map((each) => `\\u00${hex(each)}`)
    .join(''),
  'with one escaped, in capitals': SECRET.replace('k', '\\u006B'),
  'with a slash behind a backslash': SECRET.replace('/', '\\/'),
  'in a text in a text': SECRET.split('')
    .map((each) => `\\\\u00${hex(each)}`)
    .join(''),
  'as an address has it': encodeURIComponent(SECRET).replace('k', '%6b'),
}

describe('a secret is taken out', () => {
  test.for(Object.entries(WRITINGS))('%s', ([, written]) => {
    // The decoded target too, so that no other writing passes: from: BerriAI/litellm#39293
    expect(withoutSecrets(`{"text":"before ${written} behind"}`, [SECRET])).toBe('{"text":"before [removed] behind"}')
  })

  test.for([0, 1, 2, 3, 4, 5])('in Base64, %i bytes behind its beginning', (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from('#'.repeat(before) + SECRET + ':rest').toString(encoding)
      const left = withoutSecrets(`Basic ${encoded}`, [SECRET])
      expect(left).toContain('[removed]')
      const shown = Buffer.from(left.replace('[removed]', ''), 'base64').toString()
      for (let at = 0; at + 4 < SECRET.length; at++) expect(shown).not.toContain(SECRET.slice(at, at + 4))
    }
  })
})

test.for([
  'sk-tg-' + 'a1B2'.repeat(10) + 'abcdef',
  'sk-proj-Abcdefgh1234_5678-abcdefgh',
  'sk-ant-api03-Abcdefgh1234_5678-abcdefgh',
  'tg-pat-' + 'a1B2'.repeat(10),
  'AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q',
  'ghp_' + 'a1B2'.repeat(9),
  'AKIAABCDEFGH12345678',
  'xoxb-123456789012-abcdefghijkl',
])('a key that was pasted into a conversation is taken out by its form: %s', (key) => {
  expect(withoutSecrets(`my key is ${key}, why?`, [])).toBe('my key is [removed], why?')
})

test('other texts stay as they are', () => {
  const text =
    'msg_0123456789abcdef call_abc sk-learn task-force AIza ghp_x {"id":"resp_68582a79cb90819a9167d188b812af9c"}'
  expect(withoutSecrets(text, ['not-there'])).toBe(text)
})

test('a text of backslashes is as quick to read as any other', () => {
  const text = '\\'.repeat(262_144)
  expect(withoutSecrets(text, [SECRET, SECRET.toUpperCase()])).toBe(text)
})

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { explainedFault } from '../causes/explained-fault.ts'
import { resembles } from '../causes/key-vendors.ts'
import { diagnose, displayParts, newSecret } from './key-secret.ts'
import { checksumOf } from '../causes/secret-checksum.ts'

const body = 'sk-tg-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd'
const secret = body + checksumOf(body)

function message(text: string): string {
  const diagnosis = diagnose(text)
  return diagnosis.kind === 'malformed' ? explainedFault('key_malformed', diagnosis.facts).message : 'well formed'
}

test('a new secret has the prefix, 40 random digits and a checksum, and is well formed', () => {
  for (let i = 0; i < 200; i++) {
    const made = newSecret(randomBytes)
    expect(made).toMatch(/^sk-tg-[A-Za-z0-9]{46}$/)
    expect(diagnose(made)).toEqual({ kind: 'well_formed' })
  }
})

test('the checksum never changes its meaning: keys that were handed out must stay whole', () => {
  expect(secret).toBe('sk-tg-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd073B4U')
})

test('all 62 digits are equally likely', () => {
  const everyByte = (from: number) => (count: number) => Uint8Array.from({ length: count }, (_, i) => (from + i) % 256)
  const counts = new Map<string, number>()
  // Forty bytes at a time walk through all 256 values equally often.
  for (let from = 0; from < 256; from++) {
    for (const digit of newSecret(everyByte(from)).slice(6, 7)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  }
  // The eight refused bytes fall to the first digit after them.
  const [, ...others] = [...counts.values()].sort((a, b) => b - a)
  expect(counts.size).toBe(62)
  expect(new Set(others)).toEqual(new Set([4]))
})

test('a source of randomness that gives nothing usable ends in an error, not in a loop', () => {
  expect(() => newSecret((count) => new Uint8Array(count).fill(255))).toThrow(/randomness/)
})

test.for([
  ['with its last 3 characters missing', secret.slice(0, -3), /3 characters missing/],
  ['with its last character missing', secret.slice(0, -1), /1 character missing/],
  ['cut after the prefix', 'sk-tg-', /46 characters missing/],
  ['with 2 characters too many', `${secret}ab`, /2 characters too many/],
  ['pasted twice', secret + secret, /pasted twice/],
  ['with two characters swapped', secret.replace('01', '10'), /checksum does not match/],
  ['with a changed last character', `${secret.slice(0, -1)}0`, /checksum does not match/],
  ['without its first 3 characters', secret.slice(3), /lacks its first 3 characters/],
  ['without its prefix', secret.slice(6), /lacks its first 6 characters/],
  ['in capitals', secret.toUpperCase(), /Upper and lower case/],
  ['with a space inside', `${secret.slice(0, 20)} ${secret.slice(20)}`, /white space inside/],
  ['with a space after it', `${secret} `, /white space before or after/],
  ['with a line break inside', `${secret.slice(0, 20)}\n${secret.slice(20)}`, /a line break inside/],
  ['with an escaped line break', `${secret}\\n`, /a line break before or after/],
  ['with a tab before it', `\t${secret}`, /white space before or after/],
  ['in quotation marks', `"${secret}"`, /quotation marks/],
  ['in typographic quotation marks', `\u201c${secret}\u201d`, /quotation marks/],
  [
    'in quotation marks, as HTTP carries them',
    Buffer.from(`\u201c${secret}\u201d`).toString('latin1'),
    /quotation marks/,
  ],
  ['with Bearer before it', `Bearer ${secret}`, /"Bearer" was sent twice/],
  ['with a header name before it', `Authorization: Bearer ${secret}`, /whole header/],
  ['with a variable before it', `export TOLLGATE_API_KEY=${secret}`, /follows the "="/],
  ['with a zero width space', `${secret.slice(0, 9)}\u200b${secret.slice(9)}`, /U\+200B \(zero width space\)/],
  ['with typographic dashes', secret.replaceAll('-', '\u2011'), /U\+2011 \(non-breaking hyphen\)/],
  ['with a comma after it', `${secret},`, /contains ","/],
  ['in the form shown in lists', 'sk-tg-0123…abcd', /shortened form/],
  ['masked with stars', 'sk-tg-****************', /shortened form/],
] as const)('a key $0 is malformed, and the message says so', ([, text, expected]) => {
  expect(message(text)).toMatch(expected)
})

test.for([
  '$TOLLGATE_API_KEY',
  '${TOLLGATE_API_KEY}',
  '$env:TOLLGATE_API_KEY',
  '%TOLLGATE_API_KEY%',
  '{env:TOLLGATE_API_KEY}',
  '{{ api_key }}',
  '<your key>',
  'process.env.TOLLGATE_API_KEY',
])('%s is a variable that was not expanded', (text) => {
  expect(message(text)).toMatch(/not expanded/)
})

test.for([
  'YOUR_API_KEY',
  'your-api-key-here',
  'TOLLGATE_API_KEY',
  'sk-your-key',
  'sk-xxxxxxxxxxxxxxxx',
  'sk-tg-xxxxxxxx',
  'undefined',
  'null',
  'EMPTY',
  '"YOUR_API_KEY"',
])('%s is a placeholder', (text) => {
  expect(message(text)).toMatch(/placeholder/)
})

test('"sk-..." is a key in shortened form', () => {
  expect(message('sk-...')).toMatch(/shortened form/)
})

test.for(['', ' ', '\n'])('%j is an empty key', (text) => {
  expect(message(text)).toMatch(/is empty/)
})

test.for([
  'ada-laptop-2f9c61d07b3e',
  'sk-proj-Zk3vXcQ8pLw2Nd7RtYbM',
  'sk-ant-api03-Zk3vXcQ8pLw2Nd7RtYbM-AA',
  'AIzaSyZk3vXcQ8pLw2Nd7RtYbM0123456789AB',
  'Zk3vXcQ8pLw2Nd7RtYbMZk3vXcQ8pLw2Nd7RtYbMZk3vXcQ8',
  'short',
])('%s is well formed, so that the store decides', (text) => {
  expect(diagnose(text)).toEqual({ kind: 'well_formed' })
})

test('no message repeats more than the last four characters of a secret', () => {
  const broken = [secret.slice(0, -3), `${secret}ab`, `"${secret}"`, `Bearer ${secret}`, `${secret},`, `${secret}\n`]
  for (const text of [...broken, secret + secret, secret.slice(3), secret.toUpperCase(), secret.replace('01', '10')]) {
    const said = message(text)
    for (let i = 6; i + 5 <= text.length; i++) expect(said).not.toContain(text.slice(i, i + 5))
  }
})

test.for([
  ['sk-ant-api03-abc', 'Anthropic'],
  ['sk-proj-abc', 'OpenAI'],
  ['sk-or-v1-abc', 'OpenRouter'],
  ['AIzaSyAbc', 'Google'],
  ['sk-0123456789abcdef0123456789abcdef', 'OpenAI, DeepSeek or another provider'],
] as const)('%s is recognised as a key of %s', ([text, vendor]) => {
  expect(resembles(text)).toBe(vendor)
})

test.for([secret, 'ada-laptop-2f9c61d07b3e'])('%s is not taken for a key of another vendor', (text) => {
  expect(resembles(text)).toBeNull()
})

test('ten characters of the beginning and four of the end are kept for display', () => {
  expect(displayParts(secret)).toEqual({ start: 'sk-tg-0123', end: secret.slice(-4) })
})

import { expect, test } from 'vitest'
import { factText, messageText, supportLink, takesMessage } from './support-message.ts'

const MESSAGE = {
  subject: 'Balance & more?',
  words: ['Hello, it failed.', 'Nothing is left.'],
  facts: [
    ['Request ID', 'req_1'],
    ['Model', null],
  ],
} as const

test('an email begins with subject and body, whatever characters are in them', () => {
  const link = new URL(supportLink('help+ai@example.test', MESSAGE))
  expect([link.protocol, link.pathname]).toEqual(['mailto:', 'help+ai@example.test'])
  expect(link.searchParams.get('subject')).toBe(MESSAGE.subject)
  expect(link.searchParams.get('body')).toBe('Hello, it failed.\r\nNothing is left.\r\nRequest ID: req_1')
})

test('a page gets the message where it has a place for it, and is opened as it is where it has none', () => {
  const link = new URL(supportLink('https://help.example.test/new?title={subject}&text={body}#top', MESSAGE))
  expect(link.searchParams.get('title')).toBe(MESSAGE.subject)
  expect(link.searchParams.get('text')).toBe(messageText(MESSAGE))
  expect(link.hash).toBe('#top')
  const plain = 'https://help.example.test/chat'
  expect(supportLink(plain, MESSAGE)).toBe(plain)
  expect([takesMessage(plain), takesMessage('a@b.test'), takesMessage(`${plain}?b={body}`)]).toEqual([
    false,
    true,
    true,
  ])
})

test('of a message that is too long for a link the facts stay', () => {
  const long = supportLink('a@b.test', { ...MESSAGE, words: ['Hello.', '余额不足'.repeat(200)] })
  expect(long.length).toBeLessThan(1_900)
  expect(decodeURIComponent(long)).toContain('Hello.\r\nRequest ID: req_1')
  expect(factText(MESSAGE)).toBe('Request ID: req_1')
})

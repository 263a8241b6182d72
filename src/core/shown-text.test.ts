import { expect, test } from 'vitest'
import { shownLines, shownText } from './shown-text.ts'

test.each([
  { text: 'team blue, 中文 é 🙂', shown: 'team blue, 中文 é 🙂' },
  { text: '\u001B[2J\u001B[31mred', shown: String.raw`\u001b[2J\u001b[31mred`, from: 'shanselman/winget-tui#32' },
  { text: '\u001B]52;c;aGk=\u0007', shown: String.raw`\u001b]52;c;aGk=\u0007`, from: 'resend/resend-cli#228' },
  { text: 'a\r\nb', shown: String.raw`a\u000d\u000ab` },
  { text: 'a\u0000b\u009Bc\u007F', shown: String.raw`a\u0000b\u009bc\u007f` },
  { text: 'evil\u202Egnp', shown: String.raw`evil\u202egnp`, from: 'go-to-k/cdk-real-drift#1058' },
  {
    text: 'a\u2066b\u2069\u200B\u200F\uFEFF',
    shown: String.raw`a\u2066b\u2069\u200b\u200f\ufeff`,
    from: 'marmot-protocol/mdk#586',
  },
  { text: 'a\u2028b\u2029c', shown: String.raw`a\u2028b\u2029c`, from: 'opena2a-org/hackmyagent#330' },
  { text: 'a\u{E0041}', shown: String.raw`a\udb40\udc41` },
  { text: 'a\uD800', shown: String.raw`a\ud800` },
])('$text is shown on one line, and moves nothing on it', ({ text, shown }) => {
  expect(shownText(text)).toBe(shown)
})

test('JSON means the same when it is shown', () => {
  const names = ['\u001B[2J', 'a\u202Eb', 'line\nline', '\u{E0041}', 'é🙂']
  expect(JSON.parse(shownText(JSON.stringify(names)))).toEqual(names)
})

test('lines stay where a text has several, and nothing else does', () => {
  expect(shownLines('one\n\ttwo\r\n\u001B[0m')).toBe('one\n\ttwo\\u000d\n\\u001b[0m')
})

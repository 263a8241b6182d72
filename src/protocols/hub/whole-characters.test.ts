import { expect, test } from 'vitest'
import type { StreamPart } from './neutral-answer.ts'
import { WholeCharacters } from './whole-characters.ts'

const delta = (text: string, block = 0): StreamPart => ({ kind: 'delta', block, text })
const [HIGH, LOW] = ['😀'.charAt(0), '😀'.charAt(1)]

function joined(...steps: readonly StreamPart[][]): string[] {
  const characters = new WholeCharacters()
  return steps.map((parts) =>
    characters
      .join(parts)
      .map((part) => (part.kind === 'delta' ? part.text : part.kind))
      .join('|'),
  )
}

test('halves that come in two deltas are one character', () => {
  expect(joined([delta(`a${HIGH}`)], [delta(`${LOW}b`)])).toEqual(['a', '😀b'])
  expect(joined([delta(HIGH), delta(LOW)])).toEqual(['😀'])
  expect(joined([delta(HIGH)], [delta(LOW + HIGH)], [delta(LOW)])).toEqual(['', '😀', '😀'])
})

test('each block has its own half', () => {
  expect(joined([delta(`a${HIGH}`, 1)], [delta('x', 2)], [delta(HIGH, 2)], [delta(LOW, 1)], [delta(LOW, 2)])).toEqual([
    'a',
    'x',
    '',
    '😀',
    '😀',
  ])
})

test('a half without the other goes on as it came, at the end of its block at the latest', () => {
  expect(joined([delta(HIGH)], [delta('b')])).toEqual(['', `${HIGH}b`])
  expect(joined([delta(`a${HIGH}`)], [{ kind: 'end', block: 0 }])).toEqual(['a', `${HIGH}|end`])
  expect(joined([delta(HIGH + HIGH)], [delta(LOW)])).toEqual([HIGH, '😀'])
  expect(joined([delta(LOW)])).toEqual([LOW])
})

test('parts that cut nothing are the same', () => {
  const parts = [delta('a😀'), delta(LOW)]
  expect(new WholeCharacters().join(parts)).toBe(parts)
})

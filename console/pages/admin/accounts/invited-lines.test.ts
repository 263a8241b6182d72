import { describe, expect, test } from 'vitest'
import { creditInAll, invitedLines } from './invited-lines.ts'

describe('addresses to invite', () => {
  test('are read one a line, between commas, and with names before them, each once', () => {
    const text =
      ' ada@example.com\r\nGrace Hopper <grace@example.com>, ADA@example.com\n\nlin@example.com;kay@example.com\t\n'
    expect(invitedLines(text)).toEqual({
      emails: ['ada@example.com', 'grace@example.com', 'lin@example.com', 'kay@example.com'],
      wrong: [],
      repeated: 1,
    })
  })

  test('that cannot be read are named by their line, and none is lost', () => {
    const { emails, wrong } = invitedLines('ada@example.com\nno address\n\nada@@example.com\nx@y')
    expect(emails).toEqual(['ada@example.com'])
    expect(wrong).toEqual([
      { line: 2, text: 'no address' },
      { line: 4, text: 'ada@@example.com' },
      { line: 5, text: 'x@y' },
    ])
  })

  test('are none where nothing is typed', () => {
    expect(invitedLines(' \n,')).toEqual({ emails: [], wrong: [], repeated: 0 })
  })
})

test('the credit of all is exact, and held below what one call may give', () => {
  expect(creditInAll('0.1', 3)).toBe('0.3')
  expect(creditInAll('10', 0)).toBe('10')
  expect(creditInAll('', 3)).toBeNull()
  expect(creditInAll('100', 100)).toBe('10000')
  expect(creditInAll('100.01', 100)).toBe('too_much')
})

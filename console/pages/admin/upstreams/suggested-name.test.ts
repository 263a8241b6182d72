import { expect, test } from 'vitest'
import { suggestedName } from './found-address.ts'

test.for([
  ['https://api.deepseek.com/v1', 'deepseek'],
  ['https://generativelanguage.googleapis.com', 'googleapis'],
  ['https://api.example.com.cn/v1', 'example'],
  ['http://10.0.0.7:8000/v1', 'upstream'],
  ['http://[::1]:8000/v1', 'upstream'],
  ['http://localhost:11434', 'upstream'],
  ['', 'upstream'],
  ['https://', 'upstream'],
])('an upstream at %j is called %j', ([url = '', name]) => {
  expect(suggestedName(url, [])).toBe(name)
})

test('no name is suggested that is taken', () => {
  expect(suggestedName('https://api.deepseek.com', ['deepseek', 'deepseek-2'])).toBe('deepseek-3')
})

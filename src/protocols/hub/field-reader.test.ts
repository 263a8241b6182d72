import { expect, test } from 'vitest'
import { FieldReader } from './field-reader.ts'
import { Notes } from './notes.ts'
import { RequestSettings, SettingsToWrite } from './request-settings.ts'

test('a field that was not read is refused by its path', () => {
  const notes = new Notes({})
  const inner = new FieldReader({ a: { b: 1 } }, 'messages[2]', notes).object('a')
  expect(() => inner?.end()).toThrow(
    expect.objectContaining({ code: 'request_invalid', details: { param: 'messages[2].a.b' } }),
  )
})

test('a hint is left out and named without its position, once', () => {
  const notes = new Notes({ 'messages[].name': 'a name for people' })
  for (const i of [0, 1]) new FieldReader({ name: 'x' }, `messages[${i}]`, notes).end()
  expect(notes.dropped).toEqual(['messages[].name'])
})

test('a name that every object has is not a hint', () => {
  expect(() => new FieldReader(JSON.parse('{"constructor":1}'), '', new Notes({})).end()).toThrow('constructor')
  expect(new FieldReader({}, '', new Notes({})).raw('constructor')).toBeNull()
})

test('null is as good as absent', () => {
  const reader = new FieldReader({ a: null, b: null }, '', new Notes({}))
  expect(reader.string('a')).toBeNull()
  reader.end()
})

test.for([
  ['string', { a: 1 }],
  ['number', { a: '1' }],
  ['boolean', { a: 1 }],
  ['list', { a: {} }],
  ['strings', { a: ['x', 1] }],
  ['rawObject', { a: [] }],
] as const)('a %s that is something else is refused', ([kind, value]) => {
  const reader = new FieldReader(value, '', new Notes({}))
  expect(() => reader[kind]('a')).toThrow(expect.objectContaining({ code: 'request_invalid' }))
})

test('a setting that a writer forgets is refused, unless it may be left out', () => {
  const settings = new RequestSettings()
  settings.say('seed', 7, 'seed')
  settings.say('topK', 40, 'top_k')
  const notes = new Notes({})
  const writing = new SettingsToWrite(settings, notes)
  expect(() => writing.end()).toThrow(expect.objectContaining({ details: { param: 'top_k' } }))
  expect(writing.take('topK')).toBe(40)
  writing.end()
  expect(notes.dropped).toEqual(['seed'])
})

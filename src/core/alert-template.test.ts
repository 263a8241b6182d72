import { expect, test } from 'vitest'
import {
  ALERT_PLACEHOLDERS,
  ALERT_TEMPLATE_BYTES,
  type AlertFacts,
  filledTemplate,
  objectionToAlertTemplate,
} from './alert-template.ts'

const NASTY = '"}\n,{"admin":true}\\ \u2028 {{title}} $& $1'
const facts = Object.fromEntries(ALERT_PLACEHOLDERS.map((name) => [name, `${name}: ${NASTY}`])) as AlertFacts

test('no fact can end its text, whatever is in it, nor bring a placeholder of its own', () => {
  const template = { a: 'x {{subject_name}} y', list: [1, null, true, '{{ title }}{{text}}'], inner: { b: '{{id}' } }
  const body: unknown = JSON.parse(JSON.stringify(filledTemplate(template, facts)))
  expect(body).toEqual({
    a: `x subject_name: ${NASTY} y`,
    list: [1, null, true, `title: ${NASTY}text: ${NASTY}`],
    inner: { b: '{{id}' },
  })
})

test('facts are written as their receiver needs them, what stands around them stays', () => {
  const filled = filledTemplate({ text: '<b>{{subject_name}}</b>' }, { ...facts, subject_name: '<!here>' }, (fact) =>
    fact.replaceAll('<', '&lt;'),
  )
  expect(filled).toEqual({ text: '<b>&lt;!here></b>' })
})

test('every placeholder is taken, and one that is unknown, stands in a name, or too many are refused', () => {
  const all = ALERT_PLACEHOLDERS.map((name) => `{{${name}}}`)
  expect(objectionToAlertTemplate({ all, none: 'a { b } {{ c' })).toBe(null)
  expect(objectionToAlertTemplate({ blocks: [{ text: 'of {{account}}' }] })).toMatch(
    /^must not have \{\{account\}\}: its placeholders are title, text, /,
  )
  expect(objectionToAlertTemplate({ text: '{{toString}}' })).toContain('{{toString}}')
  expect(objectionToAlertTemplate({ '{{title}}': 'x' })).toContain('not in the name of a field ({{title}})')
  expect(objectionToAlertTemplate({ text: '{{id}}'.repeat(101) })).toContain('at most 100 placeholders')
})

test('a template is bounded in size and depth', () => {
  const longest = 'x'.repeat(ALERT_TEMPLATE_BYTES - '{"text":""}'.length)
  expect(objectionToAlertTemplate({ text: longest })).toBe(null)
  expect(objectionToAlertTemplate({ text: `${longest}x` })).toContain(`at most ${ALERT_TEMPLATE_BYTES} bytes`)
  const deep = (levels: number): object => (levels === 0 ? { text: 'x' } : { inner: deep(levels - 1) })
  expect(objectionToAlertTemplate({ ...deep(11) })).toBe(null)
  expect(objectionToAlertTemplate({ ...deep(12) })).toContain('at most 12 levels')
})

import { expect, test } from 'vitest'
import { documentOf } from '../../src/control/docs/openapi.ts'
import { ROUTES } from '../../src/control/routes/all-routes.ts'
import { printed, readSources } from './source-files.ts'
import { checkTypedNumbers, numbersIn } from './typed-numbers.ts'

const sources = await readSources('console', /\.tsx?$/)
const document = documentOf(ROUTES, { origin: 'http://gateway.test', version: '1' })
const bodies = Object.values(document.paths ?? {}).flatMap((path) =>
  Object.values(path as Record<string, { requestBody?: unknown }>).map(({ requestBody }) => requestBody),
)
const named = document.components?.schemas ?? {}
const numberFields = new Set(bodies.flatMap((body) => numbersIn(body, named)))

test('the API was asked for its fields of numbers', () => {
  const known = ['amount', 'quota_limit', 'usd', 'multiplier', 'days', 'per_usd', 'smallest', 'spend_per_day', 'weight']
  expect([...numberFields]).toEqual(expect.arrayContaining(known))
})

test('every form of the console reads numbers in the one way', () => {
  expect(sources.length).toBeGreaterThan(300)
  expect(printed(sources.flatMap((source) => checkTypedNumbers(source, numberFields)))).toEqual([])
})

test.each([
  ['a field for an amount', `<TextField name="amount" label={t.amount} value={text} onValue={(a) => b} />`],
  ['a field by a spread', `<TextField {...field('quota_limit')} hint={t.hint} />`],
  ['a field of a submission', `<TextField {...submission.field('quota_limit')} hint={t.hint} />`],
  ['a field in a list', '<Input name={`price.tiers.${i}.usd`} />'],
  ['a keyboard for numbers', `<Input inputMode="decimal" />`],
  ['a keyboard that is chosen', `<Input inputMode={isWhole ? 'numeric' : 'text'} />`],
  ['a field of the browser for numbers', `<Input type="number" />`],
  ['a conversion', `import { Form } from '../forms/form.tsx'\nconst amount = Number(text.replace(',', ''))`],
  ['another conversion', `import { Form } from '../forms/form.tsx'\nconst amount = parseFloat(text)`],
  ['a form of its own', String.raw`const AMOUNT = /^\d{1,9}(\.\d{1,9})?$/`],
])('%s outside of it is reported', (_what, text) => {
  expect(checkTypedNumbers({ path: 'console/pages/new.tsx', text }, numberFields)).toHaveLength(1)
})

test.each([
  ['a field for a name', `<TextField name="name" label={t.name} />`],
  ['a field for a number', `<NumberField of="amount" name="amount" label={t.amount} />`],
  ['a count of the API', `const days = Number(row.days)`],
])('%s is allowed', (_what, text) => {
  expect(checkTypedNumbers({ path: 'console/pages/new.tsx', text }, numberFields)).toEqual([])
})

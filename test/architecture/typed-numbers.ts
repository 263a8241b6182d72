import type { Finding, SourceFile } from './source-files.ts'

/** The only file of the console that draws fields for numbers, and the only one that reads them. */
const FIELD = 'console/forms/number-field.tsx'
const READER = 'console/forms/typed-numbers.ts'
/** Fields of digits for codes of a second step. */
const CODES = [
  'console/shell/confirm-identity.tsx',
  'console/pages/account/totp-dialog.tsx',
  'console/pages/outside/sign-in-page.tsx',
]
/** What is turned into a `number` there was chosen from a list, or is a plain decimal already. */
const CHOSEN = [
  'console/pages/account/new-token-dialog.tsx',
  'console/pages/admin/accounts/one/edit-limits.tsx',
  'console/pages/admin/operations/attention-list.tsx',
  'console/pages/admin/prices/facts/model-facts.tsx',
  'console/pages/billing/pay-with.tsx',
  'console/pages/keys/form/suggested-change.ts',
]
/** What they read was written by the API, or chosen from a list. */
const SHOWN = [
  'console/differences/change-list.tsx',
  'console/differences/value-text.ts',
  'console/pages/admin/prices/import/compare-prices.ts',
  'console/pages/models/model-list.ts',
]

/** Where the console reads what a person typed as a number in another way than all other forms. */
export function checkTypedNumbers(source: SourceFile, numberFields: ReadonlySet<string>): Finding[] {
  const { path, text } = source
  if (path === FIELD || path === READER || path.startsWith('console/format/') || path.includes('.test.')) return []
  return [
    ...(CODES.includes(path) ? [] : found(source, KEYBOARD, 'draws a field for a number: use NumberField')),
    ...(isForm(source) && !CHOSEN.includes(path)
      ? found(source, CONVERSION, 'turns text into a number: read it with forms/typed-numbers.ts')
      : []),
    ...(SHOWN.includes(path) ? [] : found(source, DECIMAL_FORM, 'has a form of numbers: use forms/typed-numbers.ts')),
    ...fieldsIn(text)
      .filter(({ name }) => numberFields.has(name))
      .map(({ at, name }) => ({
        file: path,
        line: lineAt(text, at),
        what: `asks for ${name} as text: use NumberField`,
      })),
  ]
}

const KEYBOARD = /inputMode=(?:"(?:decimal|numeric)"|\{[^}]*'(?:decimal|numeric)')|type="number"/g
const CONVERSION =
  /(?<![.\w])(?:Number|parseFloat|Number\.parseFloat|parseInt|Number\.parseInt)\((?!factorOf\(|factor\)|count\)|is[A-Z])/g
const DECIMAL_FORM = /\\d[^/\n]*\((?:\?:)?\\\.\\d/g

/** A component that asks for something, or the pure half of one. */
function isForm({ path, text }: SourceFile): boolean {
  return /from '[^']*\/(?:forms\/|ui\/input)/.test(text) || /-(?:form|draft|lines|change|limits)\.ts$/.test(path)
}

/** The fields of plain text that a component draws, by their names in the API as far as they are written there. */
function fieldsIn(text: string): { readonly at: number; readonly name: string }[] {
  const elements = [...text.matchAll(/<(?:TextField|TextAreaField|Input|TextArea)\b/g)]
  return elements.flatMap(({ index: at }) => {
    const element = text.slice(at, endOf(text, at))
    const [, plain, spread, template] =
      /name="([\w.]+)"|\{\.\.\.(?:(?:submission\.)?field|form\.text)\('([\w.]+)'|name=\{`[^`]*\.(\w+)`\}/.exec(
        element,
      ) ?? []
    const name = (plain ?? spread ?? template)?.split('.').at(-1)
    return name === undefined ? [] : [{ at, name }]
  })
}

/** Where the tag that begins at `at` ends: behind its `>` outside of braces. */
function endOf(text: string, at: number): number {
  let depth = 0
  for (let index = at; index < text.length; index++) {
    const character = text[index]
    if (character === '{') depth += 1
    if (character === '}') depth -= 1
    if (character === '>' && depth === 0) return index
  }
  return text.length
}

function found({ path, text }: SourceFile, pattern: RegExp, what: string): Finding[] {
  return [...text.matchAll(pattern)].map(({ index }) => ({ file: path, line: lineAt(text, index), what }))
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

interface Described {
  readonly type?: unknown
  readonly format?: unknown
  readonly pattern?: unknown
  readonly properties?: Readonly<Record<string, Described>>
  readonly [other: string]: unknown
}

/** The names of all fields of a schema that hold a number or an amount, at any depth; `named`: the schemas that it refers to. */
export function numbersIn(schema: unknown, named: Readonly<Record<string, unknown>>): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, $ref: reference, ...others } = schema as Described
  if (typeof reference === 'string') return numbersIn(named[reference.split('/').at(-1) ?? ''], named)
  const own = Object.entries(properties).flatMap(([name, each]) => [
    ...(isNumber(each) ? [name] : []),
    ...numbersIn(each, named),
  ])
  return [...own, ...Object.values(others).flatMap((each) => numbersIn(each, named))]
}

function isNumber({ type, format, pattern, anyOf }: Described): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((each) => isNumber(each as Described))
  const types = Array.isArray(type) ? type : [type]
  const isDecimal = typeof pattern === 'string' && /\\d.*\\\.\\d/.test(pattern)
  return types.some((each) => each === 'integer' || each === 'number') || format === 'usd' || isDecimal
}
